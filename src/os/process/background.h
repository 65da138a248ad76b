/* SPDX-License-Identifier: MIT */
/* Processes without a terminal: this process, and those that it starts and keeps. */
#ifndef OS_BACKGROUND_H
#define OS_BACKGROUND_H

#include "base/err.h"

#include <signal.h>
#include <sys/types.h>

/*
 * Goes on as a new process in a session of its own, whose standard output and error are out and
 * whose input is empty. In the new process it returns 0 and *ready, which is to be closed when its
 * work has begun; in the old one it returns the new one's pid, once *ready was closed or the
 * process has ended. -1 with *err.
 */
pid_t background_enter(int out, int *ready, struct err *err);
/*
 * Runs this program with other arguments (argv[0] included, ends with NULL) in the directory dir,
 * its output in out, with those signals blocked. It gets SIGTERM when this process ends, even by a
 * crash. Its pid, or -1 with *err.
 */
pid_t background_run_self(char *const *argv, int dir, int out, const sigset_t *blocked,
			  struct err *err);

#endif
