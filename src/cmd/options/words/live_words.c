// SPDX-License-Identifier: MIT
#include "cmd/options/words/live_words.h"

#include "os/process/attend.h"

#include <string.h>

static int live_check(const struct input_opts *in, const char *program, struct err *err)
{
	AUTO_CHAR *path = NULL;

	if (in->path)
		return err_set(err, ERR_USAGE,
			       "'-i' reads a recording: there is nothing to run ('%s')", program);
	path = program_path(program, err);
	return path ? 0 : err_hint(err, "-i names a recording");
}

/* The words of this command line before the command. */
static void live_add_own(struct command_words *w, const struct env *env, int argc)
{
	int n = env->argc - argc;

	if (n > 1 && !strcmp(env->argv[n - 1], "--"))
		n--;
	for (int i = 0; i < n; i++)
		vec_add(&w->words, env->argv[i]);
	command_words_add_option(w, "-i", "-");
	vec_add(&w->words, NULL);
}

int live_words_run(struct command_words *record, const struct env *env, const struct input_opts *in,
		   int argc, char **argv, struct err *err)
{
	struct command_words reader = {0};
	int status = live_check(in, argv[0], err);

	if (!status) {
		live_add_own(&reader, env, argc);
		command_words_add(record, "-q");
		command_words_add_option(record, "-o", "-");
		command_words_add(record, "--");
		for (int i = 0; i < argc; i++)
			vec_add(&record->words, argv[i]);
		vec_add(&record->words, NULL);
		status = attend_pipeline(record->words.at, reader.words.at, err);
	}
	command_words_release(&reader);
	return status;
}
