// SPDX-License-Identifier: MIT
#include "base/options/options.h"

#include <ctype.h>
#include <string.h>

enum {
	NAMES_WIDTH = 24, /* longer names have the help text on the next line */
	HELP_COLUMN = 26,
	WORDS_END = 100, /* lists of words are wrapped before this column */
};

struct shown {
	const struct opt *opt;
	int section; /* how many headings came before */
};

static bool asked_for(const struct opt *o, const char *word)
{
	if (!word)
		return true;
	while (*word == '-')
		word++;
	if (!*word)
		return true;
	if (!word[1] && o->letter == *word)
		return true;
	if (o->name && strstr(o->name, word))
		return true;
	return word[1] && o->help && strcasestr(o->help, word);
}

static int options_help_by_name(const void *pa, const void *pb)
{
	const struct shown *a = pa, *b = pb;
	int d = a->section - b->section;

	if (d)
		return d;
	if (a->opt->kind == OPT_HEADING || b->opt->kind == OPT_HEADING)
		return (b->opt->kind == OPT_HEADING) - (a->opt->kind == OPT_HEADING);
	if (!a->opt->letter != !b->opt->letter)
		return !a->opt->letter - !b->opt->letter;
	d = tolower(a->opt->letter) - tolower(b->opt->letter);
	if (d)
		return d;
	return strcmp(a->opt->name ? a->opt->name : "", b->opt->name ? b->opt->name : "");
}

/* "<file>", "[=<n>]"; an arg that brings its own angles stays as it is */
static void show_arg(const struct opt *o, struct buf *out)
{
	bool optional = o->flags & OPT_OPTIONAL;
	bool bare = !strchr(o->arg, '<');

	if (optional)
		buf_str(out, o->name ? "[=" : "[");
	else
		buf_char(out, ' ');
	if (bare)
		buf_char(out, '<');
	buf_str(out, o->arg);
	if (bare)
		buf_char(out, '>');
	if (optional)
		buf_char(out, ']');
}

void opt_words(const struct opt *o, struct buf *out)
{
	if (o->words)
		buf_word(out, o->words);
	if (o->list)
		o->list(out);
}

/* Shows the words of a value, wrapped, in the column of the help text. */
static void show_words(const struct opt *o, struct buf *out)
{
	AUTO_BUF words = {0};
	size_t column = WORDS_END;

	opt_words(o, &words);
	for (const char *p = buf_text(&words); *p;) {
		size_t n = strcspn(p, " ");

		if (n && column + 1 + n > WORDS_END) {
			buf_char(out, '\n');
			buf_fill(out, ' ', HELP_COLUMN - 1);
			column = HELP_COLUMN - 1;
		}
		if (n) {
			buf_char(out, ' ');
			buf_add(out, p, n);
			column += 1 + n;
		}
		p += n + (p[n] == ' ');
	}
}

static void options_help_show(const struct opt *o, struct buf *out)
{
	size_t start = out->n, length = o->help ? strlen(o->help) : 0;

	buf_str(out, "    ");
	if (o->letter) {
		buf_char(out, '-');
		buf_char(out, o->letter);
	} else {
		buf_str(out, "    ");
	}
	if (o->name) {
		buf_str(out, o->letter ? ", --" : "--");
		buf_str(out, o->name);
	}
	if (o->arg)
		show_arg(o, out);
	if (out->n - start <= NAMES_WIDTH) {
		buf_fill(out, ' ', HELP_COLUMN - (out->n - start));
	} else {
		buf_char(out, '\n');
		buf_fill(out, ' ', HELP_COLUMN);
	}
	/* further lines of a help text stand under its first */
	for (const char *c = o->help ? o->help : ""; *c; c++) {
		buf_char(out, *c);
		if (*c == '\n')
			buf_fill(out, ' ', HELP_COLUMN);
	}
	if (length && o->help[length - 1] == ':')
		show_words(o, out);
	buf_str(out, o->kind == OPT_ABSENT ? ": not possible yet\n" : "\n");
}

void opt_help(const struct opt_group *groups, const char *word, struct buf *out)
{
	VEC(struct shown) list = {0};
	int section = 0;

	for (const struct opt_group *g = groups; g->opts; g++)
		for (const struct opt *o = g->opts; o->kind != OPT_END; o++) {
			if (o->kind == OPT_HEADING)
				section++;
			else if (o->flags & OPT_HIDDEN || !asked_for(o, word))
				continue;
			vec_add(&list, (struct shown){o, section});
		}
	if (list.n)
		qsort(list.at, list.n, sizeof(*list.at), options_help_by_name);
	for (size_t i = 0; i < list.n; i++) {
		if (list.at[i].opt->kind != OPT_HEADING) {
			options_help_show(list.at[i].opt, out);
		} else if (i + 1 < list.n && list.at[i + 1].section == list.at[i].section) {
			buf_str(out, i ? "\n    " : "    ");
			buf_str(out, list.at[i].opt->help);
			buf_char(out, '\n');
		}
	}
	vec_release(&list);
}

void opt_list(const struct opt_group *groups, struct buf *out)
{
	for (const struct opt_group *g = groups; g->opts; g++)
		for (const struct opt *o = g->opts; o->kind != OPT_END; o++)
			if (o->kind != OPT_HEADING && o->name && !(o->flags & OPT_HIDDEN)) {
				buf_str(out, "--");
				buf_str(out, o->name);
				buf_char(out, ' ');
			}
}
