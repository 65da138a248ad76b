/* SPDX-License-Identifier: MIT */
/* Scripts that browsers on the terminal run (key r): perf script, and command lines of the
 * configuration. */
#ifndef CMD_OUTPUT_SCRIPTS_H
#define CMD_OUTPUT_SCRIPTS_H

#include "base/config/config.h"
#include "cmd/options/words/input_words.h"
#include "view/browser/browse.h"

/* What scripts read. All of it is borrowed. */
struct output_scripts {
	const struct config *config;
	const struct input_opts *input;
	const struct filter_opts *filter;
	const struct symbol_options *files;
};

/* Samples that a script can be run on: those that an option of perf script chooses. */
struct script_samples {
	const char *text;	    /* in the menu */
	const char *option, *value; /* NULL: all samples */
	/* In place of an option, or NULL: lets the user choose, and adds options to w. Returns the
	 * text of the output's line to start at, owned by w; NULL: nothing was chosen. */
	const char *(*choose)(void *ctx, struct command_words *w);
	void *ctx;
};

/* Lets the user choose a script and, of n > 1 choices, its samples. Runs it, and shows its output
 * until a key leaves that. Returns the key, or 0 when nothing was shown; errors are shown on b. */
int output_scripts_run(const struct output_scripts *s, struct browse *b,
		       const struct script_samples *samples, size_t n);
/* The same for all samples, or those of a function. ctx: a struct output_scripts. */
int output_scripts_run_function(void *ctx, struct browse *b, const char *symbol);

#endif
