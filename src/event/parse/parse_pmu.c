// SPDX-License-Identifier: MIT
/* Parses events of the PMUs that sysfs describes. */
#include "event/parse/parse_state.h"

#include "base/options/options.h"
#include "event/names.h"

#include <ctype.h>
#include <string.h>

#define MAX_EXPANSIONS 16 /* an alias may name another one; more nested aliases are a cycle */

/* The event of a PMU that terms are applied to. */
struct of_pmu {
	const struct pmu *pmu;
	struct event *ev;
	bool preset; /* the PMU has default settings: a term replaces their bits, else it adds
		      * bits */
	bool named;  /* one of the terms was an event's name */
};

static int put_value(struct parser *ps, const struct of_pmu *o, const struct pmu_format *f,
		     const struct term *t, uint64_t v)
{
	struct attr *a = &o->ev->attr;
	uint64_t *const words[] = {&a->config, &a->config1, &a->config2, &a->config3, &a->config4};
	unsigned int width = (unsigned int)__builtin_popcountll(f->bits), i = 0;

	if (width < 64 && v >> width)
		return parse_fail(ps, t->value.p, "'%s' has %u bit%s: at most %llu", f->name, width,
				  width == 1 ? "" : "s", (1ull << width) - 1);
	if (o->preset)
		*words[f->word] &= ~f->bits;
	for (uint64_t bits = f->bits; bits; bits &= bits - 1, i++)
		if (v >> i & 1)
			*words[f->word] |= bits & -bits;
	if (f->word >= 3)
		a->size = f->word == 3 ? MAX(a->size, sizeof(*a) - sizeof(a->config4)) : sizeof(*a);
	return 0;
}

static int parse_pmu_apply(struct parser *ps, struct of_pmu *o, const struct terms *terms,
			   unsigned int depth);

static bool is_same(struct span_of a, struct span_of b)
{
	return a.n == b.n && !memcmp(a.p, b.p, a.n);
}

/* Fills in the alias's parameters "=?" with the values of the user's terms. */
static int parse_pmu_fill(struct parser *ps, const struct pmu_alias *alias, struct terms *terms,
			  const struct terms *given, const char *place)
{
	for (size_t i = 0; i < terms->n; i++) {
		struct term *t = &terms->at[i];

		if (!span_is(t->value, "?"))
			continue;
		for (size_t j = 0; j < given->n; j++)
			if (is_same(given->at[j].name, t->name) && given->at[j].has_value)
				t->value = given->at[j].value;
		if (span_is(t->value, "?"))
			return parse_fail(
				ps, place, "event '%s' needs a value for '%s', as in %s=1",
				alias->name, span_text(ps, t->name), span_text(ps, t->name));
	}
	return 0;
}

/* Applies the terms that an alias stands for. */
static int apply_alias(struct parser *ps, struct of_pmu *o, const struct pmu_alias *alias,
		       const struct terms *given, const char *at, unsigned int depth)
{
	const char *text = ps->text, *place = ps->p;
	const unsigned int rate = FIXED_PERIOD | FIXED_FREQ;
	struct event *ev = o->ev;
	const struct attr before = ev->attr;
	unsigned int given_rate = ev->fixed & rate;
	struct terms terms = {0};
	int ret;

	if (depth > MAX_EXPANSIONS)
		return parse_fail(ps, ps->text, "PMU '%s' explains '%s' by itself", o->pmu->name,
				  alias->name);
	ps->text = arena_printf(&ps->arena, "%s/%s/", o->pmu->name, alias->terms);
	ps->p = ps->text + strlen(o->pmu->name);
	ret = parse_terms(ps, &terms);
	if (!ret) {
		const char *own = ps->text;

		ps->text = text;
		ret = parse_pmu_fill(ps, alias, &terms, given, at);
		ps->text = own;
	}
	if (!ret)
		ret = parse_pmu_apply(ps, o, &terms, depth + 1);
	ps->text = text;
	ps->p = place;
	vec_release(&terms);
	if (ret)
		return -1;
	if (given_rate) { /* the user's own period or frequency takes precedence */
		ev->attr.sample_period = before.sample_period;
		ev->attr.flags = (ev->attr.flags & ~ATTR_FREQ) | (before.flags & ATTR_FREQ);
		ev->fixed = (ev->fixed & ~rate) | given_rate;
	}
	if (alias->unit)
		ev->unit = arena_strdup(&ps->set->arena, alias->unit);
	ev->scale = alias->scale;
	ev->per_package |= alias->per_package;
	ev->snapshot |= alias->snapshot;
	return 0;
}

/* Finds an alias as written, or else ignoring case. */
static bool find_alias(struct parser *ps, const char *pmu, const char *word, struct pmu_alias *out)
{
	struct names names = {0};
	bool found = parse_find_alias(ps, pmu, word, out);

	if (found)
		return true;
	pmu_alias_names(ps->host->pmu_root, pmu, &ps->arena, &names);
	for (size_t i = 0; i < names.n && !found; i++)
		found = !strcasecmp(names.at[i], word) &&
			pmu_alias_read(ps->host->pmu_root, pmu, names.at[i], &ps->arena, out);
	vec_release(&names);
	return found;
}

/* Applies a name that every kernel has for core PMUs, as in "cpu/cycles/". 1, 0, -1. */
static int apply_legacy(struct parser *ps, struct of_pmu *o, struct span_of name)
{
	struct attr *a = &o->ev->attr;
	uint64_t config;
	uint32_t type;
	int got = pmu_is_core(ps->host->pmu_root, o->pmu->name)
			  ? parse_legacy(ps, name, &type, &config)
			  : 0;

	if (got <= 0)
		return got;
	a->type = type;
	a->config = config;
	if (!parse_is_hybrid(o->pmu->name))
		return 1;
	a->config |= (uint64_t)o->pmu->type << 32;
	if (!(o->ev->fixed & FIXED_NAME)) /* without modifiers, as in perf 6.1 */
		o->ev->name = arena_printf(&ps->set->arena, "%s/%.*s/", o->pmu->name, (int)name.n,
					   name.p);
	return 1;
}

/* Parses "r1a" or "r0x1a": the whole config word. */
static bool raw_config(struct span_of s, uint64_t *v)
{
	size_t i = s.n > 3 && s.p[1] == '0' && s.p[2] == 'x' ? 3 : 1;

	return s.n > 1 && s.p[0] == 'r' && span_hex((struct span_of){s.p + i, s.n - i}, v);
}

/* Applies a term that is the name of an event: 1, 0, -1. */
static int apply_name(struct parser *ps, struct of_pmu *o, const struct terms *terms,
		      const struct term *t, unsigned int depth)
{
	struct pmu_alias alias;
	int got;

	if (find_alias(ps, o->pmu->name, span_text(ps, t->name), &alias))
		got = apply_alias(ps, o, &alias, terms, t->name.p, depth) ? -1 : 1;
	else if (pmu_format_find(o->pmu, span_text(ps, t->name)))
		return 0;
	else
		got = apply_legacy(ps, o, t->name);
	if (got > 0 && !depth && o->named)
		return parse_fail(ps, t->name.p,
				  "one event cannot be two: ',' between two PMU/.../");
	o->named |= got > 0;
	return got;
}

static void add_driver_term(struct parser *ps, struct event *ev, const struct term *t)
{
	ev->driver_config = arena_printf(
		&ps->set->arena, "%s%s%.*s%s%.*s", ev->driver_config ? ev->driver_config : "",
		ev->driver_config ? "," : "", (int)t->name.n - 1, t->name.p + 1,
		t->has_value ? "=" : "", (int)t->value.n, t->has_value ? t->value.p : "");
}

static int apply_one(struct parser *ps, struct of_pmu *o, const struct terms *terms,
		     const struct term *t, unsigned int depth)
{
	const char *word = span_text(ps, t->name);
	const struct pmu_format *format;
	uint64_t v = 1;
	int got;

	if (word[0] == '@') {
		add_driver_term(ps, o->ev, t);
		return 0;
	}
	got = t->has_value ? 0 : apply_name(ps, o, terms, t, depth);
	if (got)
		return got < 0 ? -1 : 0;
	format = pmu_format_find(o->pmu, word);
	if (format) {
		if (t->has_value && !span_number(t->value, &v))
			return parse_fail(ps, t->value.p, "'%s' takes a number", word);
		return put_value(ps, o, format, t, v);
	}
	if (!t->has_value && raw_config(t->name, &v)) {
		o->ev->attr.config = v;
		return 0;
	}
	return parse_unknown_term(ps, t, o->pmu);
}

/* Applies all terms: whole config words first, so that other terms add to them. */
static int parse_pmu_apply(struct parser *ps, struct of_pmu *o, const struct terms *terms,
			   unsigned int depth)
{
	VEC(bool) done = {0};
	int ret = 0;

	(void)vec_extend(&done, terms->n);
	for (size_t i = 0; i < terms->n && !ret; i++) {
		int got = parse_generic_term(ps, o->ev, &terms->at[i]);

		done.at[i] = got > 0;
		ret = got < 0 ? -1 : 0;
	}
	for (size_t i = 0; i < terms->n && !ret; i++)
		if (!done.at[i])
			ret = apply_one(ps, o, terms, &terms->at[i], depth);
	vec_release(&done);
	return ret;
}

static int parse_pmu_add(struct parser *ps, const char *pmu_name, const char *name,
			 const struct terms *terms, bool one_of_several)
{
	struct of_pmu o = {0};
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
	ev->of_machine = pmu.of_machine;
	ev->merged = one_of_several && !pmu_is_core(ps->host->pmu_root, pmu.name);
	if (pmu.cpus)
		ev->cpus = arena_strdup(&ps->set->arena, pmu.cpus);
	parse_pmu_default(ps, &pmu, &ev->attr);
	o = (struct of_pmu){.pmu = &pmu, .ev = ev, .preset = ev->attr.config != 0};
	ret = parse_pmu_apply(ps, &o, terms, 0);
	pmu_release(&pmu);
	return ret ? -1 : 1;
}

/* "_0", "7", "_ff88840": a number of the PMU behind its name. A hexadecimal one has at least three
 * digits, since "ad" or "fe" can be words. */
static bool is_suffix(const char *s)
{
	bool sep = *s == '_';

	s += sep;
	if (!s[strspn(s, "0123456789")])
		return true;
	return sep && strlen(s) > 2 && !s[strspn(s, "0123456789abcdef")];
}

bool parse_pmu_is(const char *pmu, const char *wanted)
{
	size_t n = strlen(wanted);

	if (strpbrk(wanted, "*?[")) {
		if (glob_match(wanted, pmu))
			return true;
		return !strncmp(pmu, "uncore_", 7) && glob_match(wanted, pmu + 7);
	}
	if (!strncmp(pmu, "uncore_", 7) && strncmp(wanted, "uncore_", 7))
		pmu += 7;
	return !strncmp(pmu, wanted, n) && is_suffix(pmu + n);
}

/* Orders PMUs by the number behind the name: imc_2 before imc_10. The fast cores come before the
 * small ones. */
static int parse_pmu_by_number(const void *a, const void *b)
{
	if (parse_is_hybrid(*(const char *const *)a) && parse_is_hybrid(*(const char *const *)b))
		return strcmp(*(const char *const *)b, *(const char *const *)a);
	return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

static int all_pmus(struct parser *ps, struct names *out)
{
	if (!ps->host->pmu_root || pmu_names(ps->host->pmu_root, &ps->arena, out, NULL))
		return -1;
	if (out->n)
		qsort(out->at, out->n, sizeof(*out->at), parse_pmu_by_number);
	return 0;
}

int parse_pmu(struct parser *ps, struct span_of pmu, const char *name, const struct terms *terms)
{
	const char *wanted = span_text(ps, pmu);
	struct names names = {0};
	int got = 0;

	if (!ps->host->pmu_root || !pmu.n || strchr(wanted, '/') || wanted[0] == '.')
		return 0;
	got = parse_pmu_add(ps, wanted, name, terms, false);
	if (got || all_pmus(ps, &names))
		return got;
	for (size_t i = 0; i < names.n && got >= 0; i++)
		if (parse_pmu_is(names.at[i], wanted))
			got = parse_pmu_add(ps, names.at[i], name, terms, true);
	vec_release(&names);
	return got;
}

int parse_alias(struct parser *ps, struct span_of alias, const char *name,
		const struct terms *terms)
{
	struct terms all = {0};
	struct names names = {0};
	struct pmu_alias found;
	int got = 0, ret = 0;

	if (!alias.n || all_pmus(ps, &names))
		return 0;
	vec_add(&all, ((struct term){.name = alias}));
	for (size_t i = 0; terms && i < terms->n; i++)
		vec_add(&all, terms->at[i]);
	for (size_t i = 0; i < names.n && ret >= 0; i++)
		if (parse_is_wanted(ps, names.at[i]) &&
		    find_alias(ps, names.at[i], span_text(ps, alias), &found)) {
			ret = parse_pmu_add(ps, names.at[i], name, &all, true);
			got |= ret > 0;
		}
	vec_release(&all);
	vec_release(&names);
	return ret < 0 ? -1 : got;
}
