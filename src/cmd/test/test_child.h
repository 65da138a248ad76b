/* SPDX-License-Identifier: MIT */
/* A test in a process of its own. */
#ifndef CMD_TEST_CHILD_H
#define CMD_TEST_CHILD_H

#include "cmd/test/test_run.h"
#include "os/process/signals.h"

/* Makes a folder for a test's files, in TMPDIR or /tmp. Returns 0, or -1 with errno. */
int test_folder_make(char folder[64]);
/* Starts a test, with the signals that this process blocked unblocked. Returns 0, or -1 with
 * *err. */
int test_child_start(const struct test_opts *o, struct numbered *t, const char *program,
		     const struct signals *signals, struct err *err);
/* Waits for a test's verdict. Returns 0, with the test ended, or a signal that came before. */
int test_child_wait(struct numbered *t, struct signals *signals, struct selftest_run *r,
		    enum selftest_verdict *verdict);
/* Ends a test with all that it started (they are a process group), and removes its folder. Returns
 * its status as waitpid() gives it. */
int test_child_end(struct numbered *t);

#endif
