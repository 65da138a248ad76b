// SPDX-License-Identifier: MIT
#include "cmd/options/output/output_scripts.h"

#include "cmd/options/output/output_browse.h"
#include "os/process/self.h"

#include <string.h>

#define CHOICES_MOST 32

/* An entry of the menu of scripts. */
struct script_choice {
	const char *name;
	const char *fields;  /* -F of perf script, or NULL */
	const char *command; /* shell command of the configuration; NULL: perf script */
	bool asks;	     /* the user types further options of perf script */
};

static size_t list_scripts(const struct config *config, struct script_choice *out)
{
	static const char section[] = "scripts.";
	size_t n = 0;

	out[n++] = (struct script_choice){.name = "Samples, as perf script prints them"};
	out[n++] = (struct script_choice){.name = "Samples with their lines of source",
					  .fields = "+srcline"};
	out[n++] = (struct script_choice){.name = "Samples, with options of perf script",
					  .asks = true};
	for (size_t i = 0; i < config->vars.n && n < CHOICES_MOST; i++) {
		const struct config_var *var = &config->vars.at[i];

		if (!strncmp(var->key, section, sizeof(section) - 1))
			out[n++] = (struct script_choice){.name = var->key + sizeof(section) - 1,
							  .command = var->value};
	}
	return n;
}

/* Adds the option of the chosen samples. *sought: the line to be shown first, or NULL. False: the
 * user chose nothing. */
static bool choose_samples(struct browse *b, const struct script_samples *samples, size_t n,
			   struct command_words *w, const char **sought)
{
	const char *items[CHOICES_MOST];
	long chosen = 0;

	for (size_t i = 0; i < n; i++)
		items[i] = samples[i].text;
	if (n > 1)
		chosen = browse_choose(b, "Which samples", items, n);
	if (chosen < 0)
		return false;
	if (samples[chosen].option)
		command_words_add_option(w, samples[chosen].option, samples[chosen].value);
	if (!samples[chosen].choose)
		return true;
	*sought = samples[chosen].choose(samples[chosen].ctx, w);
	return *sought;
}

/* Adds a shell that runs a command line, in which "$@" stands for the words that follow. */
static void add_shell(struct command_words *w, const char *command, const char *name)
{
	command_words_add(w, "/bin/sh");
	command_words_add(w, "-c");
	command_words_add(w, command);
	command_words_add(w, name);
}

/* Adds perf script itself, or a shell for what the user or the configuration wrote. False: the user
 * left the question for options. */
static bool add_program(struct browse *b, struct command_words *w,
			const struct script_choice *script)
{
	AUTO_CHAR *self = self_program();
	AUTO_BUF text = {0};

	if (script->asks) {
		if (!browse_ask(b, "perf script", &text))
			return false;
		/* the options are the last words, so that a pipe may follow them */
		add_shell(w, arena_printf(&w->arena, "\"$0\" script \"$@\" %s", buf_text(&text)),
			  self ? self : "perf");
	} else if (script->command) {
		add_shell(w, arena_printf(&w->arena, "%s \"$@\"", script->command), script->name);
	} else {
		command_words_add(w, self ? self : "perf");
		command_words_add(w, "script");
		command_words_add_option(w, "-F", script->fields);
	}
	return true;
}

static int show_output(struct browse *b, struct command_words *w, const char *name,
		       const char *sought)
{
	struct err err = {0};
	int key;

	vec_add(&w->words, NULL);
	key = output_browse_command(b->screen, name, (char *const *)(uintptr_t)w->words.at, sought,
				    &err);
	if (key < 0)
		browse_say_error(b, &err);
	return MAX(key, 0);
}

int output_scripts_run(const struct output_scripts *s, struct browse *b,
		       const struct script_samples *samples, size_t n)
{
	struct script_choice scripts[CHOICES_MOST];
	const size_t n_scripts = list_scripts(s->config, scripts);
	const char *items[CHOICES_MOST], *sought = NULL;
	struct command_words w = {0};
	long chosen;
	int key = 0;

	for (size_t i = 0; i < n_scripts; i++)
		items[i] = scripts[i].name;
	chosen = browse_choose(b, "Scripts", items, n_scripts);
	if (chosen >= 0 && add_program(b, &w, &scripts[chosen])) {
		input_words_add(&w, s->input, s->filter, s->files);
		if (choose_samples(b, samples, n, &w, &sought))
			key = show_output(b, &w, scripts[chosen].name, sought);
	}
	command_words_release(&w);
	return key;
}

int output_scripts_run_function(void *ctx, struct browse *b, const char *symbol)
{
	AUTO_CHAR *text = mem_printf("Samples of symbol %s", symbol);
	const struct script_samples samples[] = {
		{.text = "All samples"},
		{.text = text, .option = "--symbols", .value = symbol},
	};

	return output_scripts_run(ctx, b, samples, ARRAY_SIZE(samples));
}
