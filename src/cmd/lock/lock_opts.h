/* SPDX-License-Identifier: MIT */
/* lock's options as typed: one struct for all its commands. */
#ifndef CMD_LOCK_OPTS_H
#define CMD_LOCK_OPTS_H

#include "capture/programs/kernel_world.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"
#include "cmd/options/output/opts_form.h"
#include "view/lock/lock.h"

struct lock_opts {
	struct input_opts input;
	struct symbol_options symbols;
	const char *output;
	bool dump, strict, quiet;
	int verbose;
	/* report and contention */
	const char *key, *fields, *time;
	unsigned int entries;
	bool threads;
	bool combine; /* report */
	bool map;     /* info */
	/* contention */
	const char *cpus, *pids, *tids, *types, *locks, *callers;
	struct form_opts form; /* -x of contention is perf's own CSV */
	bool by_lock;
	bool use_bpf, all_cpus, by_owner, by_cgroup; /* -b, and options that need it */
	const char *cgroups, *delays;
	unsigned int rows;
	char **command; /* for -b */
	unsigned int max_stack, stack_skip;
	bool stack_skip_given;
};

/* -i -f -v -q -D --output --vmlinux --kallsyms --strict, shared by all commands. */
extern const struct opt lock_opts[];
extern const struct cmd cmd_lock_report, cmd_lock_info, cmd_lock_contention;

/* A table of locks, with its recording, world and output. */
struct lock_table {
	struct recording *rec;
	struct world *world;
	struct out out;
	struct locks_options how;
	struct locks locks;
	struct locks_view view;
	struct filter filter;
	/* with -b */
	struct kernel_world kernel; /* owns .world */
	struct lock_names {
		struct idmap of;
		struct intern texts;
	} names;
	uint64_t failures[LOCKS_FAILURES];
};

/* Sets .filter by -C, -p and --tid, and checks -x and -j. 0, or -1 with *err. */
int lock_select(struct lock_table *t, const struct lock_opts *o, struct err *err);
/* Shows the rows in the form that was asked for. 0, or -1 with *err. */
int lock_table_show(struct lock_table *t, const struct lock_opts *o, const struct env *env,
		    struct err *err);
/* Reads the recording of -i by .how and .filter. 0, or -1 with *err. */
int lock_table_read(struct lock_table *t, const struct lock_opts *o, struct env *env,
		    struct err *err);
/* Opens the output of the rows: --output, else standard error, as perf does. 0, or -1 with *err. */
int lock_table_open_output(struct lock_table *t, const struct lock_opts *o, struct env *env,
			   struct err *err);
/* Called at a command's end: sends the output and prints the losses. Returns the exit status, or -1
 * with *err. */
int lock_table_end(struct lock_table *t, const struct lock_opts *o, struct err *err);
void lock_table_release(struct lock_table *t);
/* contention_bpf.c, for -b: measures waits live while the target runs, and fills .locks. .how must
 * be set. Returns the command's exit status, or -1 with *err. */
int lock_table_measure(struct lock_table *t, const struct lock_opts *o, struct err *err);
/* What may take the place of an analysis of perf.data. With a command: runs it, and this analysis
 * of what `lock record` records meanwhile; with -D: prints the records. True when it did; *status
 * is then the exit status, or -1 with *err. */
bool lock_instead(const struct lock_opts *o, struct env *env, int argc, char **argv, int *status,
		  struct err *err);

#endif
