// SPDX-License-Identifier: MIT
/* Events of the PMUs that sysfs describes. */
#include "event/parse/parse_state.h"

#include "base/options.h"

#include <ctype.h>

#define MAX_EXPANSIONS 16 /* an alias may name another one; more than that is a ring */

static int put_value(struct parser *ps, struct attr *a, const struct pmu_format *f,
		     const struct term *t, uint64_t v)
{
	uint64_t *const words[] = {&a->config, &a->config1, &a->config2, &a->config3, &a->config4};
	unsigned int width = (unsigned int)__builtin_popcountll(f->bits), i = 0;

	if (width < 64 && v >> width)
		return parse_fail(ps, t->value.p, "'%s' has %u bits: at most %llu", f->name, width,
				  (1ull << width) - 1);
	for (uint64_t bits = f->bits; bits; bits &= bits - 1, i++)
		if (v >> i & 1)
			*words[f->word] |= bits & -bits;
	if (f->word >= 3)
		a->size = f->word == 3 ? sizeof(*a) - sizeof(a->config4) : sizeof(*a);
	return 0;
}

static int apply(struct parser *ps, struct event *ev, const struct pmu *pmu,
		 const struct terms *terms, unsigned int depth);

/* The terms behind an alias. One that reads "=?" takes its value from the user's own terms. */
static int apply_alias(struct parser *ps, struct event *ev, const struct pmu *pmu,
		       const struct pmu_alias *alias, const struct terms *given, unsigned int depth)
{
	const char *text = ps->text, *place = ps->p;
	const unsigned int rate = FIXED_PERIOD | FIXED_FREQ;
	const struct attr before = ev->attr;
	unsigned int given_rate = ev->fixed & rate;
	struct terms terms = {0};
	int ret;

	if (depth > MAX_EXPANSIONS)
		return parse_fail(ps, ps->text, "PMU '%s' explains '%s' by itself", pmu->name,
				  alias->name);
	ps->text = arena_printf(&ps->arena, "%s/%s/", pmu->name, alias->terms);
	ps->p = ps->text + strlen(pmu->name);
	ret = parse_terms(ps, &terms);
	for (size_t i = 0; i < terms.n && !ret; i++) {
		if (!span_is(terms.at[i].value, "?"))
			continue;
		for (size_t j = 0; j < given->n; j++)
			if (given->at[j].name.n == terms.at[i].name.n && given->at[j].has_value &&
			    !memcmp(given->at[j].name.p, terms.at[i].name.p, terms.at[i].name.n))
				terms.at[i].value = given->at[j].value;
		if (span_is(terms.at[i].value, "?"))
			ret = parse_fail(ps, ps->text, "event '%s' needs a value for '%s'",
					 alias->name, span_text(ps, terms.at[i].name));
	}
	if (!ret)
		ret = apply(ps, ev, pmu, &terms, depth + 1);
	ps->text = text;
	ps->p = place;
	vec_release(&terms);
	if (given_rate) { /* the user's own is better than the list's */
		ev->attr.sample_period = before.sample_period;
		ev->attr.flags = (ev->attr.flags & ~ATTR_FREQ) | (before.flags & ATTR_FREQ);
		ev->fixed = (ev->fixed & ~rate) | given_rate;
	}
	if (!ret && alias->unit)
		ev->unit = arena_strdup(&ps->set->arena, alias->unit);
	if (!ret)
		ev->scale = alias->scale;
	return ret;
}

/* "r1a" or "r0x1a": the whole config word */
static bool raw_config(struct span_of s, uint64_t *v)
{
	size_t i = s.n > 3 && s.p[1] == '0' && s.p[2] == 'x' ? 3 : 1;

	*v = 0;
	if (s.n < 2 || s.p[0] != 'r' || s.n - i > 16)
		return false;
	for (; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (!isxdigit(c))
			return false;
		*v = *v << 4 | (uint64_t)(isdigit(c) ? c - '0' : (c | 32) - 'a' + 10);
	}
	return true;
}

static int apply_one(struct parser *ps, struct event *ev, const struct pmu *pmu,
		     const struct terms *terms, const struct term *t, unsigned int depth)
{
	const char *word = span_text(ps, t->name);
	const struct pmu_format *format;
	struct pmu_alias alias;
	uint64_t v = 1;

	if (word[0] == '@') {
		ev->driver_config = arena_printf(&ps->set->arena, "%s%s%.*s%s%.*s",
						 ev->driver_config ? ev->driver_config : "",
						 ev->driver_config ? "," : "", (int)t->name.n - 1,
						 t->name.p + 1, t->has_value ? "=" : "",
						 (int)t->value.n, t->has_value ? t->value.p : "");
		return 0;
	}
	if (!t->has_value &&
	    parse_find_alias(ps, pmu->name, word, &alias))
		return apply_alias(ps, ev, pmu, &alias, terms, depth);
	format = pmu_format_find(pmu, word);
	if (format) {
		if (t->has_value && !span_number(t->value, &v))
			return parse_fail(ps, t->value.p, "'%s' takes a number", word);
		return put_value(ps, &ev->attr, format, t, v);
	}
	if (!t->has_value && raw_config(t->name, &v)) {
		ev->attr.config = v;
		return 0;
	}
	return parse_unknown_term(ps, t, pmu);
}

/* Whole config words first, so that single terms add to them. */
static int apply(struct parser *ps, struct event *ev, const struct pmu *pmu,
		 const struct terms *terms, unsigned int depth)
{
	VEC(bool) done = {0};
	int ret = 0;

	(void)vec_extend(&done, terms->n);
	for (size_t i = 0; i < terms->n && !ret; i++) {
		int got = parse_generic_term(ps, ev, &terms->at[i]);

		done.at[i] = got > 0;
		ret = got < 0 ? -1 : 0;
	}
	for (size_t i = 0; i < terms->n && !ret; i++)
		if (!done.at[i])
			ret = apply_one(ps, ev, pmu, terms, &terms->at[i], depth);
	vec_release(&done);
	return ret;
}

static int add(struct parser *ps, const char *pmu_name, const char *name, const struct terms *terms)
{
	struct event *ev;
	struct pmu pmu;
	int ret;

	if (!pmu_read(ps->host->pmu_root, pmu_name, &ps->arena, &pmu))
		return 0;
	ev = event_set_add(ps->set, name);
	ev->attr.type = pmu.type;
	ev->attr.size = ATTR_SIZE_6_1;
	ev->attr.flags = ATTR_EXCLUDE_GUEST;
	ev->pmu = arena_strdup(&ps->set->arena, pmu.name);
	if (pmu.cpus)
		ev->cpus = arena_strdup(&ps->set->arena, pmu.cpus);
	ret = apply(ps, ev, &pmu, terms, 0);
	pmu_release(&pmu);
	return ret ? -1 : 1;
}

bool parse_pmu_is(const char *pmu, const char *wanted)
{
	size_t n = strlen(wanted);

	if (!strncmp(pmu, "uncore_", 7) && strncmp(wanted, "uncore_", 7))
		pmu += 7;
	if (strpbrk(wanted, "*?["))
		return glob_match(wanted, pmu);
	if (strncmp(pmu, wanted, n))
		return false;
	pmu += n;
	if (*pmu == '_')
		pmu++;
	return pmu[strspn(pmu, "0123456789")] == 0;
}

int parse_pmu(struct parser *ps, struct span_of pmu, const char *name, const struct terms *terms)
{
	const char *root = ps->host->pmu_root, *wanted = span_text(ps, pmu);
	struct names names = {0};
	int got = 0;

	if (!root || !pmu.n || strchr(wanted, '/') || wanted[0] == '.')
		return 0;
	got = add(ps, wanted, name, terms);
	if (got || pmu_names(root, &ps->arena, &names, NULL))
		return got;
	for (size_t i = 0; i < names.n && got >= 0; i++)
		if (parse_pmu_is(names.at[i], wanted))
			got = add(ps, names.at[i], name, terms);
	vec_release(&names);
	return got;
}

int parse_alias(struct parser *ps, struct span_of alias, const char *name)
{
	struct term term = {.name = alias};
	struct terms terms = {0};
	struct names names = {0};
	struct pmu_alias found;
	int got = 0, ret = 0;

	if (!ps->host->pmu_root || !alias.n ||
	    pmu_names(ps->host->pmu_root, &ps->arena, &names, NULL))
		return 0;
	vec_add(&terms, term);
	for (size_t i = 0; i < names.n && ret >= 0; i++)
		if (parse_find_alias(ps, names.at[i], span_text(ps, alias), &found)) {
			ret = add(ps, names.at[i], name, &terms);
			got |= ret > 0;
		}
	vec_release(&terms);
	vec_release(&names);
	return ret < 0 ? -1 : got;
}
