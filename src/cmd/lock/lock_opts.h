/* SPDX-License-Identifier: MIT */
/* lock's options, as typed: those of all its commands in one struct. */
#ifndef CMD_LOCK_OPTS_H
#define CMD_LOCK_OPTS_H

#include "capture/programs/kernel_world.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"
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
	const char *cpus, *pids, *tids, *types, *locks, *callers, *separator;
	bool by_lock;
	bool use_bpf, all_cpus, by_owner, by_cgroup; /* -b, and what needs it */
	const char *cgroups;
	unsigned int rows;
	char **command; /* of -b */
	unsigned int max_stack, stack_skip;
};

/* -i -f -v -q -D --output --vmlinux --kallsyms --strict, which all have. */
extern const struct opt lock_opts[];
extern const struct cmd cmd_lock_report, cmd_lock_info, cmd_lock_contention;

/* A table of a recording: the recording, its world, the rows, and where they are shown. */
struct lock_table {
	struct recording *rec;
	struct world *world;
	struct out out;
	struct locks_options how;
	struct locks locks;
	struct locks_view view;
	struct filter filter;
	/* of -b */
	struct kernel_world kernel; /* .world is its */
	struct lock_names {
		struct idmap of;
		struct intern texts;
	} names;
	uint64_t failures[LOCKS_FAILURES];
};

/* Reads the recording of -i, with .how and .filter. 0, or -1 with *err. */
int lock_table_read(struct lock_table *t, const struct lock_opts *o, struct env *env,
		    struct err *err);
/* Where rows are shown: --output, else standard error as perf does. 0, or -1 with *err. */
int lock_table_open_output(struct lock_table *t, const struct lock_opts *o, struct env *env,
			   struct err *err);
/* Ends as the commands do: what is shown is sent, losses are told. The exit status, or -1. */
int lock_table_end(struct lock_table *t, const struct lock_opts *o, struct err *err);
void lock_table_release(struct lock_table *t);
/* contention_bpf.c: fills .locks of waits as they happen, while what was asked for runs; .how is
 * set. The command's exit status, or -1 with *err. */
int lock_table_measure(struct lock_table *t, const struct lock_opts *o, struct err *err);
/* Words and -D are refused. 0, or -1 with *err. */
int lock_check(const struct lock_opts *o, const struct env *env, int argc, char **argv,
	       struct err *err);

#endif
