// SPDX-License-Identifier: MIT
/* perf iostat: perf stat --iostat, with the ports as the first word. */
#include "cmd/options/words/command_words.h"

#include <stdio.h>
#include <string.h>

extern const struct cmd cmd_stat;

/* True for "list", or for ports: "0000:3d,0:af". */
static bool iostat_is_what(const char *word)
{
	unsigned int domain, bus;

	return !strcmp(word, "list") || sscanf(word, "%x:%x", &domain, &bus) == 2;
}

static int iostat_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	const bool what = argc && iostat_is_what(argv[0]);
	struct command_words w = {0};

	(void)opts;
	(void)err;
	command_words_add(&w, "stat");
	command_words_add(&w, "--iostat");
	if (what)
		w.words.at[1] = arena_printf(&w.arena, "--iostat=%s", argv[0]);
	return command_words_run(&w, env, argc - what, argv + what);
}

static const char *const usage[] = {
	"iostat list", "iostat [<port>[,<port>...]] [<stat options>] [<command>]", NULL};

static const struct opt_group groups[] = {{0}};

const struct cmd cmd_iostat = {
	.name = "iostat",
	.summary = "Show I/O performance metrics",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.hands_on_to = &cmd_stat,
	.run = iostat_run,
};
