// SPDX-License-Identifier: MIT
#include "base/options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct found {
	const struct opt *opt;
	void *base; /* the group's struct */
	bool unset;
};

static void *place_of(const struct found *f, size_t offset)
{
	return (char *)f->base + offset;
}

static bool takes_value(const struct opt *o)
{
	switch (o->kind) {
	case OPT_BOOL:
	case OPT_COUNT:
	case OPT_HEADING:
	case OPT_END:
		return false;
	case OPT_CALL:
		return !(o->flags & OPT_NO_VALUE);
	default:
		return true;
	}
}

static const char *spelled(const struct opt *o, char text[64])
{
	if (o->name)
		snprintf(text, 64, "--%s", o->name);
	else
		snprintf(text, 64, "-%c", o->letter);
	return text;
}

static int store_number(const struct found *f, const char *value, struct err *err)
{
	const struct opt *o = f->opt;
	char name[64], *end;
	uint64_t v = 0;
	bool negative = o->kind == OPT_INT && *value == '-';
	int bad = o->flags & OPT_SIZE ? parse_size(value, &v) : parse_u64(value + negative, &v);

	if (o->kind == OPT_DOUBLE) {
		double d = strtod(value, &end);

		if (end == value || *end)
			return err_set(err, ERR_USAGE, "option '%s' expects a number, not '%s'",
				       spelled(o, name), value);
		*(double *)place_of(f, o->offset) = d;
		return 0;
	}
	if (o->kind != OPT_U64 && v > (o->kind == OPT_INT ? INT32_MAX : UINT32_MAX))
		bad = -1;
	if (bad)
		return err_set(err, ERR_USAGE, "option '%s' expects a number%s, not '%s'",
			       spelled(o, name), o->flags & OPT_SIZE ? " with B, K, M or G" : "",
			       value);
	if (o->kind == OPT_U64)
		*(uint64_t *)place_of(f, o->offset) = v;
	else if (o->kind == OPT_UINT)
		*(unsigned int *)place_of(f, o->offset) = (unsigned int)v;
	else
		*(int *)place_of(f, o->offset) = negative ? -(int)v : (int)v;
	return 0;
}

static int store(const struct found *f, const char *value, struct err *err)
{
	const struct opt *o = f->opt;
	void *place = place_of(f, o->offset);

	if (o->given_offset)
		*(bool *)place_of(f, o->given_offset) = true;
	switch (o->kind) {
	case OPT_BOOL:
		*(bool *)place = !f->unset;
		return 0;
	case OPT_COUNT:
		*(int *)place = f->unset ? 0 : *(int *)place + 1;
		return 0;
	case OPT_STRING:
		*(const char **)place = f->unset ? NULL : value;
		return 0;
	case OPT_STRINGS:
		if (f->unset)
			vec_clear((struct opt_strings *)place);
		else
			vec_add((struct opt_strings *)place, value);
		return 0;
	case OPT_CALL:
		return o->call(place, o, value, f->unset, err);
	default:
		return store_number(f, f->unset ? "0" : value, err);
	}
}

static bool negates(const struct opt *o)
{
	return !(o->flags & OPT_NO_NEGATE);
}

/*
 * How well word (len bytes) names the option: 2 in full, 1 as a prefix, 0 not; *unset says
 * whether it was the negation. An option whose own name begins with "no-" is negated without it.
 */
static int names(const struct opt *o, const char *word, size_t len, bool *unset)
{
	const char *name = o->name;

	*unset = false;
	if (!strncmp(name, word, len))
		return name[len] ? 1 : 2;
	if (!negates(o))
		return 0;
	*unset = true;
	if (!strncmp(name, "no-", 3) && !strncmp(name + 3, word, len))
		return name[3 + len] ? 1 : 2;
	if (len > 3 && !strncmp(word, "no-", 3) && !strncmp(name, word + 3, len - 3))
		return name[len - 3] ? 1 : 2;
	return 0;
}

#define EACH_OPTION(groups, g, o)                                                                  \
	for (const struct opt_group *g = (groups); g->opts; g++)                                   \
		for (const struct opt *o = g->opts; o->kind != OPT_END; o++)

static int unknown_long(const struct opt_parse *p, const char *word, size_t len, struct err *err)
{
	char *plain = mem_strndup(word, len);
	VEC(const char *) all = {0};
	const char *near;

	EACH_OPTION(p->groups, g, o)
		if (o->name)
			vec_add(&all, o->name);
	near = nearest_name(plain, all.at, all.n);
	err_set(err, ERR_USAGE, "unknown option '--%s'", plain);
	if (near)
		err_hint(err, "did you mean '--%s'?", near);
	vec_release(&all);
	free(plain);
	return -1;
}

static int find_long(const struct opt_parse *p, const char *word, size_t len, struct found *f,
		     struct err *err)
{
	const struct opt *other = NULL;

	f->opt = NULL;
	EACH_OPTION(p->groups, g, o) {
		bool unset;
		int how = o->name ? names(o, word, len, &unset) : 0;

		if (!how)
			continue;
		if (how == 1 && f->opt) {
			other = o;
			continue;
		}
		f->opt = o;
		f->base = (char *)p->base + g->offset;
		f->unset = unset;
		if (how == 2)
			return 0;
	}
	if (!f->opt)
		return unknown_long(p, word, len, err);
	if (other)
		return err_set(err, ERR_USAGE,
			       "ambiguous option '--%.*s': could be '--%s%s' or '--%s'", (int)len,
			       word, f->unset ? "no-" : "", f->opt->name, other->name);
	return 0;
}

static int find_letter(const struct opt_parse *p, char letter, struct found *f, struct err *err)
{
	EACH_OPTION(p->groups, g, o) {
		if (o->letter == letter && o->kind != OPT_HEADING) {
			*f = (struct found){o, (char *)p->base + g->offset, false};
			return 0;
		}
	}
	return err_set(err, ERR_USAGE, "unknown option '-%c'", letter);
}

/* The argument words that are still to come. */
struct words {
	int at, n;
	char **v;
};

static int missing_value(const struct opt *o, struct err *err)
{
	char name[64];

	return err_set(err, ERR_USAGE, "option '%s' needs a value", spelled(o, name));
}

static int use(const struct found *f, const char *joined, struct words *w, struct err *err)
{
	const struct opt *o = f->opt;
	char name[64];

	if (!takes_value(o) || f->unset) {
		if (joined)
			return err_set(err, ERR_USAGE, "option '%s' takes no value",
				       spelled(o, name));
		return store(f, NULL, err);
	}
	if (joined)
		return store(f, joined, err);
	if (o->flags & OPT_OPTIONAL_NEXT && w->at + 1 < w->n && w->v[w->at + 1][0] != '-')
		return store(f, w->v[++w->at], err);
	if (o->flags & (OPT_OPTIONAL | OPT_OPTIONAL_NEXT))
		return store(f, o->missing, err);
	if (w->at + 1 >= w->n)
		return missing_value(o, err);
	return store(f, w->v[++w->at], err);
}

static int use_letters(const struct opt_parse *p, const char *letters, struct words *w,
		       struct err *err)
{
	for (const char *l = letters; *l; l++) {
		struct found f = {0};

		if (find_letter(p, *l, &f, err))
			return -1;
		if (takes_value(f.opt) && l[1])
			return use(&f, l + 1, w, err);
		if (use(&f, NULL, w, err))
			return -1;
	}
	return 0;
}

static enum opt_result use_word(struct opt_parse *p, const char *word, struct words *w,
				struct err *err)
{
	struct found f = {0};
	const char *equals;

	if (word[1] != '-') {
		EACH_OPTION(p->groups, g, o)
			if (o->letter == 'h' && word[1] == 'h')
				return use_letters(p, word + 1, w, err) ? OPT_FAILED : OPT_OK;
		if (!strcmp(word, "-h")) {
			p->help_word = w->at + 1 < w->n ? w->v[w->at + 1] : NULL;
			return OPT_HELP;
		}
		return use_letters(p, word + 1, w, err) ? OPT_FAILED : OPT_OK;
	}
	word += 2;
	if (!strcmp(word, "help") || !strcmp(word, "help-all"))
		return OPT_HELP;
	if (!strcmp(word, "list-opts"))
		return OPT_LIST;
	equals = strchr(word, '=');
	if (find_long(p, word, equals ? (size_t)(equals - word) : strlen(word), &f, err) ||
	    use(&f, equals ? equals + 1 : NULL, w, err))
		return OPT_FAILED;
	return OPT_OK;
}

enum opt_result opt_parse(struct opt_parse *p, int argc, char **argv, struct err *err)
{
	struct words w = {1, argc, argv};
	VEC(char *) plain = {0};
	enum opt_result result = OPT_OK;

	for (; w.at < argc && result == OPT_OK; w.at++) {
		char *word = argv[w.at];

		if (word[0] != '-' || !word[1]) {
			if (p->stop_at_word)
				break;
			vec_add(&plain, word);
		} else if (!strcmp(word, "--")) {
			w.at++;
			break;
		} else {
			result = use_word(p, word, &w, err);
		}
	}
	for (; result == OPT_OK && w.at < argc; w.at++)
		vec_add(&plain, argv[w.at]);
	p->n_words = result == OPT_OK ? (int)plain.n : 0;
	p->words = argv + argc - p->n_words;
	if (p->n_words)
		memcpy(p->words, plain.at, plain.n * sizeof(char *));
	vec_release(&plain);
	return result;
}

#define HELP_COLUMN 24
#define HELP_GAP    2

static void help_one(const struct opt *o, struct buf *out)
{
	size_t start = out->n, used;
	bool optional = o->flags & OPT_OPTIONAL;

	buf_str(out, "    ");
	if (o->letter)
		buf_printf(out, "-%c", o->letter);
	if (o->letter && o->name)
		buf_str(out, ", ");
	if (o->name)
		buf_printf(out, "%s--%s", o->letter ? "" : "    ", o->name);
	if (takes_value(o)) {
		const char *arg = o->arg ? o->arg : o->kind == OPT_STRING ? "value" : "n";

		if (optional)
			buf_printf(out, o->name ? "[=<%s>]" : "[<%s>]", arg);
		else
			buf_printf(out, " <%s>", arg);
	}
	used = out->n - start;
	if (used > HELP_COLUMN) {
		buf_char(out, '\n');
		used = 0;
	}
	buf_fill(out, ' ', HELP_COLUMN + HELP_GAP - used);
	buf_str(out, o->help ? o->help : "");
	buf_char(out, '\n');
}

/* Letters first, by letter; then what has none, by name. */
static int compare_help(const void *x, const void *y)
{
	const struct opt *a = *(const struct opt *const *)x, *b = *(const struct opt *const *)y;

	if (!a->letter != !b->letter)
		return a->letter ? -1 : 1;
	if (a->letter) {
		int la = tolower(a->letter), lb = tolower(b->letter);

		/* of both cases, the small letter comes first */
		return la != lb ? la - lb : b->letter - a->letter;
	}
	return strcmp(a->name ? a->name : "", b->name ? b->name : "");
}

static bool mentions(const struct opt *o, const char *word)
{
	if (!word)
		return !(o->flags & OPT_HIDDEN);
	if (*word == '-' && word[1] && word[1] != '-' && !word[2])
		return o->letter == word[1];
	while (*word == '-')
		word++;
	if (word[0] && !word[1] && o->letter == word[0])
		return true;
	return (o->name && strcasestr(o->name, word)) || (o->help && strcasestr(o->help, word));
}

void opt_help(const struct opt_group *groups, const char *word, struct buf *out)
{
	VEC(const struct opt *) all = {0};

	EACH_OPTION(groups, g, o)
		if (o->kind != OPT_HEADING && mentions(o, word))
			vec_add(&all, o);
	qsort(all.at, all.n, sizeof(*all.at), compare_help);
	for (size_t i = 0; i < all.n; i++)
		help_one(all.at[i], out);
	vec_release(&all);
}

void opt_list(const struct opt_group *groups, struct buf *out)
{
	EACH_OPTION(groups, g, o)
		if (o->name && o->kind != OPT_HEADING && !(o->flags & OPT_HIDDEN))
			buf_printf(out, "--%s ", o->name);
	buf_char(out, '\n');
}
