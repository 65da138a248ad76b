/* SPDX-License-Identifier: MIT */
/* perf calls: its options, as typed. */
#ifndef CMD_CALLS_OPTS_H
#define CMD_CALLS_OPTS_H

#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"

struct calls_opts {
	struct input_opts input;
	struct symbol_options symbols;
	/* recording */
	const char *functions, *exec, *pids, *output;
	const char *mmap_pages, *call_graph;
	bool system_wide;
	/* showing */
	const char *sort, *separator;
	unsigned int slowest, rows, max_stack;
	bool json, histograms, strict;
	int verbose;
};

/* Records calls of the functions into .output: of the command argv, of .pids, or of the whole
 * machine. 1; 0: nothing was recorded, which has been said, and *status is the exit status; or -1
 * with *err. */
int calls_record(const struct calls_opts *o, char **argv, int *status, struct err *err);

#endif
