/* SPDX-License-Identifier: MIT */
/* A command line that one command builds for another one: `perf sched record` runs `perf record`
 * with the scheduler's events. */
#ifndef CMD_COMMAND_WORDS_H
#define CMD_COMMAND_WORDS_H

#include "base/mem.h"
#include "cmd/cmd.h"

/* The first word is the command's name. Zeroed, it is empty. */
struct command_words {
	struct opt_words words; /* parsing may reorder them; their texts are in the arena */
	struct arena arena;
	const char *tracefs; /* NULL: not looked up yet, or not found */
};

/* Adds a copy of the word. */
void command_words_add(struct command_words *w, const char *word);
/* Adds copies of n words. */
void command_words_add_all(struct command_words *w, const char *const *words, size_t n);
/* Adds the option and its value; adds nothing when value is NULL. */
void command_words_add_option(struct command_words *w, const char *option, const char *value);
/* Adds "-e SYSTEM:NAME". */
void command_words_add_event(struct command_words *w, const char *system, const char *name);
/* True when this machine has the tracepoint. False when tracefs cannot be read. */
bool command_words_has_event(struct command_words *w, const char *system, const char *name);
/* Runs the command with these words, followed by argv, which is borrowed. Releases w. Returns the
 * exit status. */
int command_words_run(struct command_words *w, struct env *env, int argc, char **argv);
void command_words_release(struct command_words *w);

#endif
