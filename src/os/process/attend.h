/* SPDX-License-Identifier: MIT */
/* Runs a command in the foreground; this process goes on with its own work afterwards. */
#ifndef OS_ATTEND_H
#define OS_ATTEND_H

#include "base/err.h"

/*
 * Runs this program with other arguments (argv[0] included, ends with NULL) until it ends. Ctrl-C,
 * which reaches both processes, ends only the new one; SIGTERM and SIGHUP are passed on to it. Its
 * exit status, 128 + signal when a signal ended it; or -1 with *err when it could not be run.
 */
int attend_self(char **argv, struct err *err);
/* The same for any program. */
int attend_program(char **argv, struct err *err);
/* The same for `perf record`, which writes the recording `output`. 1: the recording is written; 0:
 * it is not, and perf record has said why; -1 with *err. *status: as attend_self() returns it,
 * which may be the command's own. */
int attend_record(char **argv, const char *output, int *status, struct err *err);
/*
 * Runs this program twice (argv[0] of both is set), with the standard output of one as the standard
 * input of the other. The reader starts with the writer's first byte, and not at all when there is
 * none. Signals end the writer, so that the reader comes to an end; once the writer has ended, they
 * end the reader. The writer's exit status, or the reader's when that is 0; or -1 with *err.
 */
int attend_pipeline(char **writer, char **reader, struct err *err);
/* Where a program of that name is, by PATH unless it has a slash, as a real path, to be freed; NULL
 * with *err: there is none that can be run. */
char *program_path(const char *name, struct err *err);
/* The program that a process runs, by a path that can be opened here, to be freed; NULL with *err.
 */
char *program_path_of(int pid, struct err *err);

#endif
