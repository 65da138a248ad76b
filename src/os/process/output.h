/* SPDX-License-Identifier: MIT */
/* What a command writes to its standard output. */
#ifndef OS_OUTPUT_H
#define OS_OUTPUT_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * Runs a command, found in PATH, until it ends, and appends its standard output to out: max bytes
 * at most, more ends the command. Its standard input is empty, its standard error is dropped. argv
 * ends with NULL. Returns its exit status (128 + signal when a signal ended it), or -1 with *err
 * when it could not be run.
 */
int command_output(char *const *argv, struct buf *out, size_t max, struct err *err);

/* Output that is read while it is being written, by a process of ours. A writer that is ahead of
 * its reader waits. */
struct child_output {
	int fd; /* the end to read from: child_output_read() does not wait when it is readable */
	pid_t pid;
	bool ended; /* all was read */
};

/* Starts a command as command_output() does. 0, or -1 with *err. */
int child_output_begin(struct child_output *o, char *const *argv, struct err *err);
/* Forks. Returns 1 in the child, whose standard output and standard error are the output and whose
 * standard input is empty; 0 in the parent; -1 with *err. To be called before there are threads. */
int child_output_fork(struct child_output *o, struct err *err);
/* Waits for the next bytes and appends them to out. False at the end. */
bool child_output_read(struct child_output *o, struct buf *out);
/* Closes the output, ends a writer that still writes, and waits for it. Returns its exit status
 * (128 + signal when a signal ended it). */
int child_output_end(struct child_output *o);

#endif
