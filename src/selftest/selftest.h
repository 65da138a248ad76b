/* SPDX-License-Identifier: MIT */
/*
 * What this binary can do on this machine, tried out: a row a test. A test passes, fails, or cannot
 * be made here, which says why. Each runs in a process of its own, in a folder of its own.
 */
#ifndef SELFTEST_SELFTEST_H
#define SELFTEST_SELFTEST_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>

enum selftest_verdict { SELFTEST_OK, SELFTEST_FAILED, SELFTEST_SKIPPED };

struct selftest_run {
	struct buf said;	/* for -v: commands, their output, values; whole lines */
	char why[400];		/* of SELFTEST_FAILED and SELFTEST_SKIPPED: one sentence */
	const char *program;	/* this one */
	const char *folder;	/* for files; removed afterwards */
	const char *dso;	/* the file whose symbols are tried; NULL: this program */
	const char *objdump;	/* the disassembler, with options of its own; NULL: "objdump" */
};

struct selftest {
	const char *name;
	enum selftest_verdict (*try)(struct selftest_run *r);
};

/* Groups of tests, in the order in which they are numbered. Each ends with .name == NULL. */
extern const struct selftest selftests_inside[];  /* need nothing but this program */
extern const struct selftest selftests_symbols[]; /* read a program's symbols and code */
extern const struct selftest selftests_machine[]; /* ask the kernel */
extern const struct selftest selftests_whole[];	  /* record, count and read, as a user does */

enum selftest_verdict selftest_fail(struct selftest_run *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
enum selftest_verdict selftest_skip(struct selftest_run *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void selftest_say(struct selftest_run *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Runs perf with these words (they end with NULL) and waits; what it writes, to standard output and
 * to standard error, is appended to out, and said. The exit status, or -1 when it could not be run
 * or was killed.
 */
int selftest_perf(struct selftest_run *r, struct buf *out, const char *const *words);
/* The last line of a text that isn't empty. */
const char *selftest_last_line(struct buf *text);

#endif
