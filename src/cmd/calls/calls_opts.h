/* SPDX-License-Identifier: MIT */
/* perf calls: its options as typed. */
#ifndef CMD_CALLS_OPTS_H
#define CMD_CALLS_OPTS_H

#include "cmd/options/opts_attend.h"

struct calls_opts {
	struct attend_opts common;
	const char *functions, *exec, *sort, *budget;
	unsigned int slowest, max_stack;
	bool histograms;
};

/* Records calls of the functions in the command argv, in processes, or on the whole machine.
 * Returns like attend_run(). */
int calls_record(struct calls_opts *o, char **argv, int *status, struct err *err);

#endif
