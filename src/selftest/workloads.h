/* SPDX-License-Identifier: MIT */
/*
 * Programs with known behaviour, inside this one: what tests measure. Their functions have names
 * that nothing else has, are never inlined, and keep frame pointers.
 */
#ifndef SELFTEST_WORKLOADS_H
#define SELFTEST_WORKLOADS_H

#include "base/err.h"

struct workload {
	const char *name, *about;
	/* argv: its arguments. An exit status, or -1 with *err. */
	int (*work)(int argc, char **argv, struct err *err);
};

extern const struct workload workloads[]; /* ends with .name == NULL */
const struct workload *workload_find(const char *name); /* or NULL */

#endif
