// SPDX-License-Identifier: MIT
/* Runs scripts from the browser: perf script, and those of the configuration. */
#include "cmd/options/words/input_words.h"
#include "cmd/options/output/output_browse.h"
#include "cmd/report/report_shown.h"
#include "os/process/self.h"

#include <string.h>

#define CHOICES_MOST 32

/* An entry of the menu of scripts. */
struct script_choice {
	const char *name;
	const char *fields;  /* -F of perf script, or NULL */
	const char *command; /* shell command of the configuration; NULL: perf script */
};

static size_t list_scripts(const struct config *config, struct script_choice *out)
{
	static const char section[] = "scripts.";
	size_t n = 0;

	out[n++] = (struct script_choice){.name = "Samples, as perf script prints them"};
	out[n++] = (struct script_choice){.name = "Samples with their lines of source",
					  .fields = "+srcline"};
	for (size_t i = 0; i < config->vars.n && n < CHOICES_MOST; i++) {
		const struct config_var *var = &config->vars.at[i];

		if (!strncmp(var->key, section, sizeof(section) - 1))
			out[n++] = (struct script_choice){.name = var->key + sizeof(section) - 1,
							  .command = var->value};
	}
	return n;
}

/* Asks which samples a script gets, when the row offers a choice. *sought: the line to be shown
 * first, or NULL. False: the user chose nothing. */
static bool choose_samples(struct hist *h, struct command_words *w, const struct report_shown *b,
			   const char **sought)
{
	const struct hist_row row = hist_row(h, h->browse.at);
	const struct frame *frame = hist_row_frame(h, &row);
	const char *options[4] = {NULL}, *values[4] = {NULL}, *items[4] = {"All samples"};
	struct arena arena = {0};
	size_t n = 1;
	long chosen;

	if (row.entry && hist_has_key(h, "pid")) {
		const struct thread *thread = table_first(h->table, row.entry)->thread;

		options[n] = "--tid";
		values[n] = arena_printf(&arena, "%u", thread->tid);
		items[n++] = arena_printf(&arena, "Samples of thread %s(%u)",
					  hist_entry_comm(h, row.entry), thread->tid);
	} else if (row.entry && hist_has_key(h, "comm")) {
		options[n] = "--comms";
		values[n] = hist_entry_comm(h, row.entry);
		items[n++] = arena_printf(&arena, "Samples of thread %s", values[1]);
	}
	if (frame && frame->where->sym && (row.line || hist_has_key(h, "symbol"))) {
		options[n] = "--symbols";
		values[n] = frame->where->name;
		items[n++] = arena_printf(&arena, "Samples of symbol %s", frame->where->name);
	}
	if (row.entry && b->reading->o->saved_samples)
		items[n++] = "One sample of the row, with those around it";
	chosen = n > 1 ? browse_choose(&h->browse, "Which samples", items, n) : 0;
	if (chosen > 0 && options[chosen])
		command_words_add_option(w, options[chosen], values[chosen]);
	else if (chosen > 0)
		*sought = report_choose_sample(h, b, row.entry, w);
	arena_release(&arena);
	return chosen >= 0 && (chosen == 0 || options[chosen] || *sought);
}

/* Adds perf script itself, or a shell with the configured command, which gets the same options. */
static void add_program(struct command_words *w, const struct script_choice *script,
			const char *self)
{
	if (!script->command) {
		command_words_add(w, self);
		command_words_add(w, "script");
		command_words_add_option(w, "-F", script->fields);
		return;
	}
	command_words_add(w, "/bin/sh");
	command_words_add(w, "-c");
	command_words_add(w, arena_printf(&w->arena, "%s \"$@\"", script->command));
	command_words_add(w, script->name);
}

static void show_output(struct hist *h, struct command_words *w, const char *name,
			const char *sought)
{
	struct err err = {0};
	int key;

	vec_add(&w->words, NULL);
	key = output_browse_command(h->browse.screen, name,
				    (char *const *)(uintptr_t)w->words.at, sought, &err);
	if (key < 0)
		browse_say(&h->browse, "%s", err.text);
	else if (browse_leaves(key))
		h->end = HIST_LEAVE;
}

void report_run_script(struct hist *h, const struct report_shown *b)
{
	struct script_choice scripts[CHOICES_MOST];
	const size_t n = list_scripts(b->config, scripts);
	AUTO_CHAR *self = self_program();
	struct command_words w = {0};
	const char *items[CHOICES_MOST], *sought = NULL;
	long chosen;

	for (size_t i = 0; i < n; i++)
		items[i] = scripts[i].name;
	chosen = browse_choose(&h->browse, "Scripts", items, n);
	if (chosen >= 0) {
		add_program(&w, &scripts[chosen], self ? self : "perf");
		input_words_add(&w, &b->reading->o->input, &b->reading->o->filter,
				&b->reading->o->files);
		if (choose_samples(h, &w, b, &sought))
			show_output(h, &w, scripts[chosen].name, sought);
	}
	command_words_release(&w);
}
