/* SPDX-License-Identifier: MIT */
/* An analyser with a command: it reads what its record form writes while the command runs, as
 * `perf sched record -o - COMMAND | perf sched latency -i -` does. */
#ifndef CMD_LIVE_WORDS_H
#define CMD_LIVE_WORDS_H

#include "cmd/options/opts_input.h"
#include "cmd/options/words/command_words.h"

/* record: the words of the record form, "perf" first; the caller releases it. argv: argc words, the
 * last ones of the command line: the command. Returns the exit status of the command, or of the
 * analyser when that is 0; or -1 with *err: also when the first word names no program, or -i was
 * given. */
int live_words_run(struct command_words *record, const struct env *env, const struct input_opts *in,
		   int argc, char **argv, struct err *err);

#endif
