// SPDX-License-Identifier: MIT
#include "cmd/front/complete.h"

#include "base/hash.h"
#include "cmd/front/dispatch.h"
#include "cmd/front/front_opts.h"
#include "cmd/subcommand.h"

#include <string.h>

struct completion {
	const struct env *env;
	const char *last;  /* the word to complete */
	const char *typed; /* the end of last that candidates complete; PREFIX is the rest */
	struct buf rows;   /* candidates, a line each */
	struct intern seen; /* words offered so far: a metric may be in the lists of several PMUs */
	bool goes_on;	    /* the word may go on: a comma, or a name after "sched:" */
};

static void offer(struct completion *c, const char *word, size_t n, const char *help)
{
	size_t typed = strlen(c->typed), known = c->seen.entries.n;

	if (n < typed || memcmp(word, c->typed, typed) || intern_put(&c->seen, word, n) < known)
		return;
	buf_add(&c->rows, word, n);
	if (help)
		buf_printf(&c->rows, "\t%.*s", (int)strcspn(help, "\n"), help);
	buf_char(&c->rows, '\n');
	if (!known)
		c->goes_on |= n && strchr(":=", word[n - 1]);
}

static void offer_words(struct completion *c, const char *words)
{
	while (*words) {
		size_t n = strcspn(words, " ");

		if (n)
			offer(c, words, n, NULL);
		words += n + (words[n] == ' ');
	}
}

static void complete_show(const struct completion *c, const char *kind)
{
	struct buf *out = &c->env->out->buf;

	buf_printf(out, "%s\n", kind);
	buf_add(out, c->last, (size_t)(c->typed - c->last));
	buf_char(out, '\n');
	buf_add(out, c->rows.at, c->rows.n);
}

static void show_words(const struct completion *c)
{
	complete_show(c, c->goes_on ? "parts" : "words");
}

static void complete_name(struct completion *c, const struct opt_group *groups)
{
	bool negative = !strncmp(c->last, "--no-", 5);

	for (const struct opt_group *g = groups; g->opts; g++)
		for (const struct opt *o = g->opts; o->kind != OPT_END; o++) {
			AUTO_CHAR *name = o->name ? mem_printf("--%s", o->name) : NULL;
			AUTO_CHAR *no = o->name ? mem_printf("--no-%s", o->name) : NULL;
			const char letter[] = {'-', o->letter, 0};

			if (o->kind == OPT_HEADING || o->flags & OPT_HIDDEN)
				continue;
			if (name)
				offer(c, name, strlen(name), o->help);
			if (name && negative && !(o->flags & OPT_NO_NEGATE))
				offer(c, no, strlen(no), o->help);
			if (o->letter && (!name || !strcmp(c->last, letter)))
				offer(c, letter, 2, o->help);
		}
	show_words(c);
}

/* Returns the last part of a value whose parts are joined by these characters. */
static const char *last_of(const char *value, const char *joined)
{
	const char *word = value;

	for (const char *p = value; joined && *p; p++)
		if (strchr(joined, *p))
			word = p + 1;
	/* "+" and "-" add keys and fields to the default ones, or remove them */
	return word + (joined && (*word == '+' || *word == '-'));
}

static bool complete_is_number(const struct opt *o)
{
	return o->kind == OPT_INT || o->kind == OPT_UINT || o->kind == OPT_U64 ||
	       o->kind == OPT_DOUBLE;
}

static void complete_value(struct completion *c, const struct opt *o, const char *value)
{
	const struct opt_typed typed = {value, last_of(value, o->joined), c->env->config};
	AUTO_BUF words = {0};

	c->typed = typed.word;
	c->goes_on = o->joined;
	opt_words(o, &words);
	buf_char(&words, ' ');
	if (o->offer)
		o->offer(&typed, &words);
	offer_words(c, buf_text(&words));
	if (o->words || o->list || o->offer || complete_is_number(o))
		show_words(c);
	else
		complete_show(c, "files");
}

/* first: the index of cmd's name among all words. */
static void complete_command(struct completion *c, const struct cmd *cmd, int first, int n,
			     char **words)
{
	const struct opt_typed typed = {c->last, c->last, c->env->config};
	const struct cmd *sub;
	struct cmd_groups groups = {0};
	struct opt_place at;
	AUTO_BUF text = {0};

	subcommand_list_groups(cmd, &groups);
	opt_find_place(groups.at, cmd->stop_at_word, n, words, &at);
	sub = at.word < n - 1 ? subcommand_find(cmd, words[at.word]) : NULL;
	if (sub) {
		complete_command(c, sub, first + at.word, n - at.word, words + at.word);
	} else if (at.kind == OPT_PLACE_NAME) {
		complete_name(c, groups.at);
	} else if (at.kind == OPT_PLACE_VALUE) {
		complete_value(c, at.opt, at.value);
	} else if (cmd->stop_at_word && !cmd->words && !cmd->list_words) {
		for (size_t i = 0; at.word == n - 1 && cmd->subcommands && cmd->subcommands[i]; i++)
			offer(c, cmd->subcommands[i]->name, strlen(cmd->subcommands[i]->name),
			      NULL);
		buf_printf(&text, "command %d", first + at.word);
		complete_show(c, buf_text(&text));
	} else if (cmd->words || cmd->list_words) {
		buf_str(&text, cmd->words ? cmd->words : "");
		if (cmd->list_words)
			cmd->list_words(&typed, &text);
		offer_words(c, buf_text(&text));
		show_words(c);
	} else {
		complete_show(c, "files");
	}
	vec_release(&groups);
}

static void complete_front(struct completion *c, int n, char **words)
{
	const struct cmd *cmd;
	struct opt_place at;

	opt_find_place(front_groups, true, n, words, &at);
	if (at.kind == OPT_PLACE_NAME) {
		complete_name(c, front_groups);
	} else if (at.kind == OPT_PLACE_VALUE) {
		complete_value(c, at.opt, at.value);
	} else if (at.word >= n - 1) {
		for (size_t i = 0; commands[i]; i++)
			offer(c, commands[i]->name, strlen(commands[i]->name),
			      commands[i]->summary);
		show_words(c);
	} else {
		cmd = command_find(words[at.word]);
		if (cmd)
			complete_command(c, cmd, at.word, n - at.word, words + at.word);
		else
			complete_show(c, "files");
	}
}

void complete(struct env *env, int n, char **words)
{
	struct completion c = {.env = env};

	if (n < 2)
		return;
	c.last = c.typed = words[n - 1];
	complete_front(&c, n, words);
	buf_release(&c.rows);
	intern_release(&c.seen);
}
