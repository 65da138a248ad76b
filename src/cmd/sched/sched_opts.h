/* SPDX-License-Identifier: MIT */
/* sched's options, as typed: those of all its commands in one struct. */
#ifndef CMD_SCHED_OPTS_H
#define CMD_SCHED_OPTS_H

#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"

struct sched_opts {
	struct input_opts input;
	bool dump, strict;
	int verbose;
	/* latency */
	const char *sort;
	int cpu;
	bool by_task;
	/* map */
	const char *map_cpus, *colour_cpus, *colour_pids, *task_names;
	bool compact, parts;
	/* timehist */
	struct symbol_options symbols;
	const char *cpus, *pids, *tids, *time;
	unsigned int max_stack;
	bool chains, idle, migrations, next, summary_only, summary, cpu_visual, wakeups, state;
	/* replay */
	int repeat; /* negative: without end */
};

/* -i -f -v -D and --strict, which all have. */
extern const struct opt sched_opts[];
extern const struct cmd cmd_sched_latency, cmd_sched_map, cmd_sched_replay, cmd_sched_timehist;

/* The recording of -i; refused when it has no switches. NULL with *err. */
struct recording *sched_open(const struct sched_opts *o, struct env *env, int argc, char **argv,
			     struct err *err);
/* Ends as the commands do: the ledger, and what it may have falsified. n of the rows took ns in
 * all. */
int sched_account(const struct sched_opts *o, const struct recording *rec, uint64_t n, uint64_t ns);

#endif
