/* SPDX-License-Identifier: MIT */
/* perf calls: its options as typed. */
#ifndef CMD_CALLS_OPTS_H
#define CMD_CALLS_OPTS_H

#include "analysis/durations/durations.h"
#include "cmd/options/opts_attend.h"

struct calls_opts {
	struct attend_opts common;
	const char *functions, *exec, *sort, *budget, *source;
	unsigned int slowest, max_stack; /* UINT_MAX: not given */
	struct opt_strings pairs;
	bool histograms, by_value;
};

/* Records calls of the functions in the command argv, in processes, or on the whole machine.
 * Returns like attend_run(). */
int calls_record(struct calls_opts *o, char **argv, int *status, struct err *err);

/* The same of d's pairs of events. Markers are looked for in the file of -x, or in the program. */
int calls_record_pairs(struct calls_opts *o, const struct durations *d, char **argv, int *status,
		       struct err *err);

/* True for --source samples. */
bool calls_are_sampled(const struct calls_opts *o);
/* argc: number of words of the command; counted: calls_are_counted(). 0, or -1 with *err for
 * options that exclude each other, or lack one. */
int calls_check(const struct calls_opts *o, int argc, bool counted, struct err *err);

/* True when the command's calls of functions were inserted by the compiler, and are to be counted
 * in it. */
bool calls_are_counted(const struct calls_opts *o, char **argv);
/* Runs the command with our library, and reads its counts into d (all zero). Returns the command's
 * exit status, or -1 with *err. */
int calls_count(struct calls_opts *o, char **argv, struct durations *d, struct dso_set *dsos,
		struct err *err);

#endif
