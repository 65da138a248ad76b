/* SPDX-License-Identifier: MIT */
/* Passes the options of input, filters and symbols to another command: report runs script, script
 * runs report. */
#ifndef CMD_INPUT_WORDS_H
#define CMD_INPUT_WORDS_H

#include "cmd/options/words/command_words.h"
#include "cmd/options/opts_filter.h"
#include "cmd/options/opts_input.h"
#include "symbol/dso.h"

/* Adds the options that stand for these structs, under the names that all commands share. */
void input_words_add(struct command_words *w, const struct input_opts *input,
		     const struct filter_opts *filter, const struct symbol_options *files);

#endif
