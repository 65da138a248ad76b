/* SPDX-License-Identifier: MIT */
/* sched's options as typed: one struct for all its commands. */
#ifndef CMD_SCHED_OPTS_H
#define CMD_SCHED_OPTS_H

#include "cmd/options/opts_filter.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"
#include "cmd/options/output/opts_form.h"
#include "os/machine/cpus.h"

struct sched_opts {
	struct input_opts input;
	bool dump, strict;
	int verbose;
	/* latency */
	struct form_opts form;
	const char *sort;
	struct filter_opts filter; /* of latency; .comms of timehist */
	bool by_task, histogram;
	const char *hist_mode;
	/* map */
	const char *map_cpus, *colour_cpus, *colour_pids, *task_names;
	bool compact, parts;
	/* timehist */
	struct symbol_options symbols;
	const char *cpus, *pids, *tids, *time;
	unsigned int max_stack;
	const char *prios;
	bool chains, idle, migrations, next, summary_only, summary, cpu_visual, wakeups, state;
	bool show_prio, pre_migrations;
	/* stats */
	const char *output;
	bool texts;
	/* replay */
	int repeat; /* negative: endless */
};

/* -i -f -v -D --strict, shared by all commands. */
extern const struct opt sched_opts[];
extern const struct cmd cmd_sched_latency, cmd_sched_map, cmd_sched_replay, cmd_sched_timehist,
	cmd_sched_stats, cmd_sched_stats_record;

/* All of sched stats' options. */
extern const struct opt sched_stats_opts[];
/* Adds the CPUs of -C to *cpus. 0, or -1 with *err. */
int sched_stats_cpus(const struct sched_opts *o, struct cpu_list *cpus, struct err *err);

/* What may take the place of an analysis of perf.data. With a command: runs it, and this analysis
 * of what `sched record` records meanwhile; with -D: prints the records. True when it did; *status
 * is then the exit status, or -1 with *err. */
bool sched_instead(const struct sched_opts *o, struct env *env, int argc, char **argv, int *status,
		   struct err *err);
/* Opens the recording of -i. NULL with *err, also when it has no context switches. */
struct recording *sched_open(const struct sched_opts *o, struct env *env, struct err *err);
/* Refuses a recording without context switches: -1 with *err. Of a pipe that is known when it was
 * read. */
int sched_check(const struct recording *rec, struct err *err);
/* Called at a command's end: sched_check(), input_tell_doubts() and input_account(). Returns the
 * exit status, or -1 with *err. */
int sched_account(const struct sched_opts *o, const struct recording *rec, const char *what,
		  uint64_t n, uint64_t ns, struct err *err);

#endif
