// SPDX-License-Identifier: MIT
#include "cmd/options/words/command_words.h"

#include "cmd/front/dispatch.h"
#include "os/tracing/tracefs.h"

void command_words_add(struct command_words *w, const char *word)
{
	vec_add(&w->words, arena_strdup(&w->arena, word));
}

void command_words_add_all(struct command_words *w, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		command_words_add(w, words[i]);
}

void command_words_add_option(struct command_words *w, const char *option, const char *value)
{
	if (!value)
		return;
	command_words_add(w, option);
	command_words_add(w, value);
}

void command_words_add_event(struct command_words *w, const char *system, const char *name)
{
	command_words_add(w, "-e");
	vec_add(&w->words, arena_printf(&w->arena, "%s:%s", system, name));
}

bool command_words_has_event(struct command_words *w, const char *system, const char *name)
{
	uint64_t id;

	if (!w->tracefs)
		w->tracefs = tracefs_find(NULL, &w->arena);
	return w->tracefs && !tracefs_id(w->tracefs, system, name, &id, NULL);
}

int command_words_run(struct command_words *w, struct env *env, int argc, char **argv)
{
	int status;

	for (int i = 0; i < argc; i++)
		vec_add(&w->words, argv[i]);
	vec_add(&w->words, NULL);
	status = command_run(command_find(w->words.at[0]), env, (int)w->words.n - 1, w->words.at);
	command_words_release(w);
	return status;
}

void command_words_release(struct command_words *w)
{
	vec_release(&w->words);
	arena_release(&w->arena);
}
