// SPDX-License-Identifier: MIT
#include "base/options/options_find.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

bool opt_takes_value(const struct opt *o)
{
	switch (o->kind) {
	case OPT_END:
	case OPT_HEADING:
	case OPT_BOOL:
	case OPT_COUNT:
		return false;
	case OPT_CALL:
		return !(o->flags & OPT_NO_VALUE);
	case OPT_ABSENT:
		return o->arg;
	default:
		return true;
	}
}

/* "option 'name'" or "switch 'x'", as the user typed it */
static int wrong_use(const struct opt_use *u, struct err *err, const char *what)
{
	const struct opt *o = u->opt;

	if (u->by_letter)
		return err_set(err, ERR_USAGE, "switch '%c' %s", o->letter, what);
	return err_set(err, ERR_USAGE, "option '%s%s' %s", u->unset ? "no-" : "", o->name, what);
}

static int put_int(const struct opt_use *u, const char *value, struct err *err)
{
	long long v = 0;
	char *end;

	if (!u->unset) {
		errno = 0;
		v = strtoll(value, &end, strncasecmp(value, "0x", 2) ? 10 : 16);
		if (end == value || *end)
			return wrong_use(u, err, "expects a number");
		if (errno || (u->opt->kind == OPT_INT ? v < INT_MIN || v > INT_MAX
						      : v < 0 || v > UINT_MAX))
			return wrong_use(u, err, "got a number out of range");
	}
	*(int *)(void *)(u->base + u->opt->offset) = (int)v;
	return 0;
}

static int options_put_u64(const struct opt_use *u, const char *value, struct err *err)
{
	uint64_t v = 0;

	if (!u->unset) {
		if (u->opt->flags & OPT_SIZE) {
			if (parse_size(value, &v))
				return wrong_use(u, err, "expects a size such as 4096, 512K or 2G");
		} else {
			/* a number with leading zeros is decimal here, not octal, as with perf */
			while (value[0] == '0' && value[1] >= '0' && value[1] <= '9')
				value++;
			if (parse_u64(value, &v))
				return wrong_use(u, err, "expects a number");
		}
	}
	memcpy(u->base + u->opt->offset, &v, sizeof(v));
	return 0;
}

static int put_double(const struct opt_use *u, const char *value, struct err *err)
{
	double v = 0;
	char *end;

	if (!u->unset) {
		v = strtod(value, &end);
		if (end == value || *end)
			return wrong_use(u, err, "expects a number");
	}
	memcpy(u->base + u->opt->offset, &v, sizeof(v));
	return 0;
}

/* Refuses an option that this program does not have. Its --no-X is accepted: it asks for what is so
 * anyway. */
static int refuse_absent(const struct opt_use *u, struct err *err)
{
	if (u->unset)
		return 0;
	if (u->opt->name)
		err_set(err, ERR_UNSUPPORTED, "'--%s' is not possible yet", u->opt->name);
	else
		err_set(err, ERR_UNSUPPORTED, "'-%c' is not possible yet", u->opt->letter);
	return err_hint(err, "%s", u->opt->why);
}

static int options_put(const struct opt_use *u, const char *value, struct err *err)
{
	const struct opt *o = u->opt;
	void *place = u->base + o->offset;
	struct opt_strings *strings = place;

	if (o->given_offset)
		*(bool *)(u->base + o->given_offset) = true;
	switch (o->kind) {
	case OPT_BOOL:
		*(bool *)place = !u->unset;
		return 0;
	case OPT_COUNT:
		*(int *)place = u->unset ? 0 : *(int *)place + 1;
		return 0;
	case OPT_INT:
	case OPT_UINT:
		return put_int(u, value, err);
	case OPT_U64:
		return options_put_u64(u, value, err);
	case OPT_DOUBLE:
		return put_double(u, value, err);
	case OPT_STRING:
		*(const char **)place = u->unset ? NULL : value;
		return 0;
	case OPT_STRINGS:
		if (u->unset)
			vec_clear(strings);
		else
			vec_add(strings, value);
		return 0;
	case OPT_CALL:
		return o->call(place, o, value, u->unset, err);
	case OPT_ABSENT:
		return refuse_absent(u, err);
	case OPT_END:
	case OPT_HEADING:
		break;
	}
	return 0;
}

/* How name (n bytes, as typed) matches o: 0 not at all, 1 as a prefix, 2 in full. Sets *unset: the
 * name is the negative. */
static int says(const struct opt *o, const char *name, size_t n, bool *unset)
{
	size_t full = strlen(o->name);
	int best = 0;

	*unset = false;
	if (n <= full && !memcmp(name, o->name, n))
		best = n == full ? 2 : 1;
	if (best || o->flags & OPT_NO_NEGATE || o->kind == OPT_HEADING)
		return best;
	if (n > 3 && !memcmp(name, "no-", 3) && n - 3 <= full && !memcmp(name + 3, o->name, n - 3))
		best = n - 3 == full ? 2 : 1;
	else if (!strncmp(o->name, "no-", 3) && n <= full - 3 && !memcmp(name, o->name + 3, n))
		best = n == full - 3 ? 2 : 1;
	*unset = best;
	return best;
}

static int unknown_option(const struct opt_parse *p, const char *name, size_t n, struct err *err)
{
	VEC(const char *) names = {0};
	char typed[64];
	const char *near;

	for (const struct opt_group *g = p->groups; g->opts; g++)
		for (const struct opt *o = g->opts; o->kind != OPT_END; o++)
			if (o->name && !(o->flags & OPT_HIDDEN))
				vec_add(&names, o->name);
	snprintf(typed, sizeof(typed), "%.*s", (int)MIN(n, sizeof(typed) - 1), name);
	near = nearest_name(typed, names.at, names.n);
	err_set(err, ERR_USAGE, "unknown option '%s'", typed);
	if (near)
		err_hint(err, "did you mean '--%s'?", near);
	vec_release(&names);
	return -1;
}

int opt_find_long(const struct opt_parse *p, const char *name, size_t n, struct opt_use *u,
		  struct err *err)
{
	struct opt_use full = {0}, first = {0}, second = {0};

	for (const struct opt_group *g = p->groups; g->opts; g++) {
		for (const struct opt *o = g->opts; o->kind != OPT_END; o++) {
			struct opt_use here = {.opt = o, .base = (char *)p->base + g->offset};
			int how = o->name ? says(o, name, n, &here.unset) : 0;

			if (how == 2 && (!full.opt || (full.unset && !here.unset)))
				full = here;
			else if (how == 1 && !(o->flags & OPT_HIDDEN))
				*(first.opt ? &second : &first) = here;
		}
	}
	if (!full.opt && second.opt)
		return err_set(err, ERR_USAGE,
			       "ambiguous option '%.*s' (could be --%s%s or --%s%s)", (int)n, name,
			       first.unset ? "no-" : "", first.opt->name,
			       second.unset ? "no-" : "", second.opt->name);
	*u = full.opt ? full : first;
	return u->opt ? 0 : unknown_option(p, name, n, err);
}

bool opt_next_value(const struct opt *o, char **argv, int *i, const char **value)
{
	const char *next = argv[*i + 1];

	*value = o->missing;
	if (o->flags & OPT_OPTIONAL || (o->flags & OPT_OPTIONAL_NEXT && (!next || *next == '-')))
		return true;
	if (!next)
		return false;
	*value = next;
	++*i;
	return true;
}

static int parse_long(struct opt_parse *p, char **argv, int *i, struct err *err)
{
	const char *name = argv[*i] + 2, *equals = strchr(name, '=');
	const char *value = equals ? equals + 1 : NULL;
	struct opt_use u;

	if (opt_find_long(p, name, equals ? (size_t)(equals - name) : strlen(name), &u, err))
		return -1;
	p->wrong = u.opt;
	if (u.unset || !opt_takes_value(u.opt)) {
		if (value)
			return wrong_use(&u, err, "takes no value");
	} else if (!value && !opt_next_value(u.opt, argv, i, &value)) {
		return wrong_use(&u, err, "requires a value");
	}
	return options_put(&u, value, err);
}

bool opt_find_letter(const struct opt_parse *p, char letter, struct opt_use *u)
{
	for (const struct opt_group *g = p->groups; g->opts; g++)
		for (const struct opt *o = g->opts; o->kind != OPT_END; o++)
			if (o->letter == letter) {
				*u = (struct opt_use){o, (char *)p->base + g->offset, false, true};
				return true;
			}
	return false;
}

/* Parses one word of short options: -abc, -oFILE, -o FILE */
static enum opt_result parse_letters(struct opt_parse *p, char **argv, int *i, struct err *err)
{
	for (const char *c = argv[*i] + 1; *c; c++) {
		const char *value = NULL;
		struct opt_use u;

		if (!opt_find_letter(p, *c, &u)) {
			if (*c != 'h')
				return err_set(err, ERR_USAGE, "unknown switch '%c'", *c);
			p->help_word = c[1] ? c + 1 : argv[*i + 1];
			return OPT_HELP;
		}
		p->wrong = u.opt;
		if (!opt_takes_value(u.opt)) {
			if (options_put(&u, NULL, err))
				return OPT_FAILED;
			continue;
		}
		if (c[1])
			value = c + 1;
		else if (!opt_next_value(u.opt, argv, i, &value))
			return wrong_use(&u, err, "requires a value");
		return options_put(&u, value, err) ? OPT_FAILED : OPT_OK;
	}
	return OPT_OK;
}

static enum opt_result parse_one(struct opt_parse *p, char **argv, int *i, struct err *err)
{
	const char *word = argv[*i];

	p->wrong = NULL;
	if (word[1] != '-')
		return parse_letters(p, argv, i, err);
	if (!strcmp(word, "--list-opts") || !strcmp(word, "--help")) {
		struct opt_use u;

		if (opt_find_long(p, word + 2, strlen(word + 2), &u, NULL)) {
			if (word[2] == 'h')
				p->help_word = argv[*i + 1];
			return word[2] == 'h' ? OPT_HELP : OPT_LIST;
		}
	}
	return parse_long(p, argv, i, err) ? OPT_FAILED : OPT_OK;
}

int opt_set(const struct opt_group *groups, void *base, const char *name, const char *value,
	    struct err *err)
{
	struct opt_parse p = {.groups = groups, .base = base};
	struct opt plain;
	struct opt_use u;

	if (opt_find_long(&p, name, strlen(name), &u, err))
		return -1;
	plain = *u.opt;
	plain.given_offset = 0;
	u.opt = &plain;
	if (!opt_takes_value(u.opt)) {
		bool yes;

		if (parse_bool(value, &yes))
			return err_set(err, ERR_USAGE, "'%s' is neither yes nor no", value);
		u.unset = !yes;
		value = NULL;
	}
	return options_put(&u, value, err);
}

enum opt_result opt_parse(struct opt_parse *p, int argc, char **argv, struct err *err)
{
	int i, n = 0;

	p->words = argv + 1;
	p->n_words = 0;
	p->help_word = NULL;
	p->wrong = NULL;
	for (i = 1; i < argc; i++) {
		enum opt_result result;

		if (argv[i][0] != '-' || !argv[i][1]) {
			if (p->stop_at_word)
				break;
			p->words[n++] = argv[i];
			continue;
		}
		if (!strcmp(argv[i], "--")) {
			i++;
			break;
		}
		result = parse_one(p, argv, &i, err);
		if (result != OPT_OK)
			return result;
	}
	p->wrong = NULL;
	while (i < argc)
		p->words[n++] = argv[i++];
	if (argc > 0)
		p->words[n] = NULL;
	p->n_words = n;
	return OPT_OK;
}
