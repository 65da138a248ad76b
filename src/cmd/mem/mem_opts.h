/* SPDX-License-Identifier: MIT */
/* perf mem's options: one struct for all its commands. */
#ifndef CMD_MEM_OPTS_H
#define CMD_MEM_OPTS_H

#include "cmd/options/opts_attend.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_memory.h"
#include "cmd/options/opts_symbols.h"

struct mem_opts {
	struct input_opts input;
	struct symbol_options symbols;
	struct memory_opts memory;
	const char *cpus, *separator;
	bool dump, hide_unresolved;
	bool types; /* report -T */
	struct attend_opts leaks;
};

extern const struct opt mem_opts[]; /* -C -D -U -x */
extern const struct cmd cmd_mem_record, cmd_mem_report, cmd_mem_leaks;

void mem_leaks_defaults(struct attend_opts *leaks, const struct env *env);
/* -D: prints a line for each sample. 0, or -1 with *err. */
int mem_dump(struct env *env, const struct mem_opts *o, struct err *err);

#endif
