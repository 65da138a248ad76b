/* SPDX-License-Identifier: MIT */
/*
 * Options of commands that record by themselves and then show the recording, or read an earlier
 * one: perf waits, balance, locks and calls. `perf record` runs in the foreground while recording.
 */
#ifndef CMD_OPTS_ATTEND_H
#define CMD_OPTS_ATTEND_H

#include "cmd/options/words/command_words.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"
#include "cmd/options/output/opts_form.h"
#include "world/world.h"

struct attend_opts {
	struct input_opts input;
	struct symbol_options symbols;
	/* recording */
	const char *pids, *output, *call_graph, *mmap_pages; /* last two: NULL for usual */
	bool system_wide;
	/* showing */
	struct form_opts form;
	unsigned int rows;
	bool strict;
	int verbose;
};

/* -a -i -j -m -o -p -r -v --strict */
extern const struct opt attend_opts[];
/* --call-graph -f -x --html, for commands that record stacks */
extern const struct opt attend_stack_opts[];

void attend_defaults(struct attend_opts *o, const struct env *env);
/* Completes the parsed options. argc: number of words of the command to run. separator: the letter
 * of the option that sets .form.separator. 0, or -1 with *err for options that exclude each other.
 */
int attend_check(struct attend_opts *o, int argc, char separator, struct err *err);
/* True when the options ask for a new recording. */
bool attend_records(const struct attend_opts *o, int argc);

/* How stacks are recorded. Threads wait in functions of libraries that have no frame pointers, and
 * by these the functions that call them are missing: "dwarf" unless the options name another mode,
 * but not for the stacks of the whole machine. */
const char *attend_chains(const struct attend_opts *o);
/* Adds the first words of `perf record`. */
void attend_words(struct command_words *w);
/* Adds the target and the file of o, and the command argv, then runs `perf record`. Releases w. 1:
 * the recording was made and is o's input from now on. 0: there is none, perf record has said why,
 * and *status is the exit status. -1 with *err. */
int attend_run(struct attend_opts *o, struct command_words *w, char **argv, int *status,
	       struct err *err);

/* Shows a recording. 0, or -1 with *err. */
typedef int attend_view(void *ctx, struct recording *rec, struct world *world, struct err *err);
/* Opens the input and calls show. Returns the exit status, or -1 with *err. */
int attend_show(const struct attend_opts *o, struct env *env, attend_view *show, void *ctx,
		struct err *err);
/* Makes a wall-clock recording when the options ask for one, then calls attend_show(). Returns the
 * exit status, or -1 with *err. */
int attend_wall(struct attend_opts *o, struct env *env, int argc, char **argv, attend_view *show,
		void *ctx, struct err *err);

#endif
