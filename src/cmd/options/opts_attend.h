/* SPDX-License-Identifier: MIT */
/*
 * Commands that record by themselves and then show what they recorded, or read such a recording:
 * perf waits, balance, locks and calls. `perf record` runs in the foreground meanwhile.
 */
#ifndef CMD_OPTS_ATTEND_H
#define CMD_OPTS_ATTEND_H

#include "cmd/options/command_words.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"
#include "world/world.h"

struct attend_opts {
	struct input_opts input;
	struct symbol_options symbols;
	/* recording */
	const char *pids, *output, *call_graph, *mmap_pages; /* the last two: NULL as perf record */
	bool system_wide;
	/* showing */
	const char *separator; /* NULL: a page for people */
	unsigned int rows;
	bool json, strict;
	int verbose;
};

/* -a -i -j -m -o -p -r -v --strict */
extern const struct opt attend_opts[];
/* --call-graph -f -x, of those that record stacks */
extern const struct opt attend_stack_opts[];

void attend_defaults(struct attend_opts *o, const struct env *env);
/* Completes what was parsed. 0, or -1 with *err for options that exclude each other. argc: words of
 * a command; separator: the letter of the option that sets .separator. */
int attend_check(struct attend_opts *o, int argc, char separator, struct err *err);
/* Is something to be recorded? */
bool attend_records(const struct attend_opts *o, int argc);

/* Adds the first words of `perf record`. */
void attend_words(struct command_words *w);
/* Adds what o says of the target and the file, and the command argv, and runs all that; releases w.
 * 1: there is a recording, which is o's input from now on; 0: there is none, which has been said,
 * and *status is the exit status; -1 with *err. */
int attend_run(struct attend_opts *o, struct command_words *w, char **argv, int *status,
	       struct err *err);

/* Shows a recording: 0, or -1 with *err. */
typedef int attend_view(void *ctx, struct recording *rec, struct world *world, struct err *err);
/* Opens the input and has it shown. Returns the exit status, or -1 with *err. */
int attend_show(const struct attend_opts *o, struct env *env, attend_view *show, void *ctx,
		struct err *err);
/* Makes a recording of the wall clock, if one is to be made, and has it shown. Returns the exit
 * status, or -1 with *err. */
int attend_wall(struct attend_opts *o, struct env *env, int argc, char **argv, attend_view *show,
		void *ctx, struct err *err);

#endif
