// SPDX-License-Identifier: MIT
/*
 * Parses the terms between slashes, and applies those that every event takes. A new term is a row
 * of the table at the end.
 */
#include "event/parse/parse_state.h"

#include "base/options/options.h"
#include "event/branch.h"
#include "os/machine/cpus.h"

#include <ctype.h>

static bool ends_name(char c)
{
	return !c || strchr("=,/{} \t\n'\"", c) != NULL;
}

/* Takes a value. In quotes it may hold anything but the quote. */
static int parse_term_take_value(struct parser *ps, struct span_of *value)
{
	char quote = *ps->p;
	const char *end;

	if (quote == '\'' || quote == '"') {
		end = strchr(ps->p + 1, quote);
		if (!end)
			return parse_fail(ps, ps->p, "the quote is not closed");
		*value = (struct span_of){ps->p + 1, (size_t)(end - ps->p - 1)};
		ps->p = end + 1;
		return 0;
	}
	*value = (struct span_of){ps->p, strcspn(ps->p, ",/{}= \t\n")};
	ps->p += value->n;
	return value->n ? 0 : parse_fail(ps, ps->p, "a value should stand here");
}

/* Parses name [= value]; blanks may be between. */
static int take_term(struct parser *ps, struct term *t)
{
	parse_blanks(ps);
	*t = (struct term){.name = {.p = ps->p}};
	while (!ends_name(ps->p[0]))
		ps->p++;
	t->name.n = (size_t)(ps->p - t->name.p);
	if (!t->name.n)
		return parse_fail(ps, ps->p, "a term should stand here");
	parse_blanks(ps);
	if (*ps->p == '=') {
		ps->p++;
		t->has_value = true;
		parse_blanks(ps);
		if (parse_term_take_value(ps, &t->value))
			return -1;
		parse_blanks(ps);
	}
	return 0;
}

int parse_terms(struct parser *ps, struct terms *out)
{
	ps->p++; /* the slash */
	if (*ps->p == '/') {
		ps->p++;
		return 0;
	}
	for (;; ps->p++) {
		struct term t;

		if (take_term(ps, &t))
			return -1;
		vec_add(out, t);
		if (*ps->p == '/')
			break;
		if (!*ps->p)
			return parse_fail(ps, ps->p, "the terms are not closed by '/'");
		if (*ps->p != ',')
			return parse_fail(ps, ps->p, "',' or '/' should stand here");
	}
	ps->p++;
	return 0;
}

/* The arguments of a row's function: v is the number (1 when there is no value). */
struct use {
	struct parser *ps;
	struct event *ev;
	const struct term *term;
	uint64_t v;
};

static const char *value_copy(const struct use *u)
{
	return arena_strndup(&u->ps->set->arena, u->term->value.p, u->term->value.n);
}

static int config(const struct use *u)
{
	struct attr *a = &u->ev->attr;

	switch (u->term->name.n == 6 ? '0' : u->term->name.p[6]) {
	case '0':
		a->config = u->v;
		break;
	case '1':
		a->config1 = u->v;
		break;
	case '2':
		a->config2 = u->v;
		break;
	case '3':
		a->config3 = u->v;
		a->size = MAX(a->size, sizeof(*a) - sizeof(a->config4));
		break;
	default:
		a->config4 = u->v;
		a->size = sizeof(*a);
	}
	return 0;
}

/* The first of several names is kept. */
static int name(const struct use *u)
{
	if (u->ev->fixed & FIXED_NAME)
		return 0;
	u->ev->name = value_copy(u);
	u->ev->fixed |= FIXED_NAME;
	return 0;
}

/* Period and frequency exclude each other: the last one is kept. */
static int period(const struct use *u)
{
	u->ev->attr.sample_period = u->v;
	u->ev->attr.flags &= ~ATTR_FREQ;
	u->ev->fixed = (u->ev->fixed & ~(unsigned int)FIXED_FREQ) | FIXED_PERIOD;
	return 0;
}

static int freq(const struct use *u)
{
	u->ev->attr.sample_freq = u->v;
	u->ev->attr.flags |= ATTR_FREQ;
	u->ev->fixed = (u->ev->fixed & ~(unsigned int)FIXED_PERIOD) | FIXED_FREQ;
	return 0;
}

static int time_stamp(const struct use *u)
{
	u->ev->no_time = !u->v;
	u->ev->fixed |= FIXED_TIME;
	return 0;
}

static int call_graph(const struct use *u)
{
	static const char *const modes[] = {"no", "fp", "dwarf", "lbr"};

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		if (!span_is(u->term->value, modes[i]))
			continue;
		u->ev->callgraph = (enum callgraph_mode)i;
		if (i == CALLGRAPH_DWARF && !u->ev->stack_dump)
			u->ev->stack_dump = 8192;
		u->ev->fixed |= FIXED_CALLGRAPH;
		return 0;
	}
	parse_fail(u->ps, u->term->value.p, "a call graph is 'fp', 'dwarf', 'lbr' or 'no'");
	return parse_suggest(u->ps, span_text(u->ps, u->term->value), modes, ARRAY_SIZE(modes));
}
_Static_assert(CALLGRAPH_NONE == 0 && CALLGRAPH_LBR == 3, "the order of modes[]");

static int stack_size(const struct use *u)
{
	if (!u->v || u->v >= 65536)
		return parse_fail(u->ps, u->term->value.p, "a stack dump has 8 to 65528 bytes");
	u->ev->stack_dump = (uint32_t)(u->v + 7) & ~7u;
	return 0;
}

static int max_stack(const struct use *u)
{
	if (u->v > UINT16_MAX)
		return parse_fail(u->ps, u->term->value.p, "a stack has at most 65535 entries");
	u->ev->attr.sample_max_stack = (uint16_t)u->v;
	u->ev->fixed |= FIXED_MAX_STACK;
	if (!u->v || u->ev->fixed & FIXED_CALLGRAPH)
		return 0;
	u->ev->callgraph = CALLGRAPH_FP;
	u->ev->fixed |= FIXED_CALLGRAPH;
	return 0;
}

static int max_events(const struct use *u)
{
	u->ev->max_events = (uint32_t)MIN(u->v, UINT32_MAX);
	return 0;
}

static int inherit(const struct use *u)
{
	u->ev->no_inherit = (u->term->name.p[0] == 'n') == !!u->v;
	u->ev->fixed |= FIXED_INHERIT;
	return 0;
}

static int overwrite(const struct use *u)
{
	u->ev->overwrite = (u->term->name.p[0] == 'n') != !!u->v;
	u->ev->fixed |= FIXED_OVERWRITE;
	return 0;
}

static int branch_type(const struct use *u)
{
	struct err err = {0};

	u->ev->fixed |= FIXED_BRANCH;
	u->ev->attr.branch_sample_type = 0;
	if (span_is(u->term->value, "no"))
		return 0;
	if (branch_parse(span_text(u->ps, u->term->value), &u->ev->attr.branch_sample_type, &err))
		return parse_fail(u->ps, u->term->value.p, "%s", err.text);
	return 0;
}

static int percore(const struct use *u)
{
	u->ev->percore = u->v;
	return 0;
}

static int aux_output(const struct use *u)
{
	u->ev->attr.flags |= u->v ? ATTR_AUX_OUTPUT : 0;
	return 0;
}

static int aux_action(const struct use *u)
{
	static const char *const actions[] = {"start-paused", "pause", "resume"};

	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (span_is(u->term->value, actions[i])) {
			u->ev->attr.aux_action |= 1u << i;
			return 0;
		}
	parse_fail(u->ps, u->term->value.p, "an AUX action is 'pause', 'resume' or 'start-paused'");
	return parse_suggest(u->ps, span_text(u->ps, u->term->value), actions, ARRAY_SIZE(actions));
}

static int aux_sample_size(const struct use *u)
{
	u->ev->attr.aux_sample_size = (uint32_t)MIN(u->v, UINT32_MAX);
	u->ev->fixed |= FIXED_AUX;
	return 0;
}

/* The CPUs of a PMU, by its name. */
static int cpus_of_pmu(const struct use *u, struct pmu *pmu)
{
	const char *root = u->ps->host->pmu_root, *word = span_text(u->ps, u->term->value);
	struct names names = {0};

	if (root && pmu_read(root, word, &u->ps->arena, pmu))
		return 0;
	if (root)
		pmu_names(root, &u->ps->arena, &names, NULL);
	parse_fail(u->ps, u->term->value.p, "'%s' is neither a CPU nor a PMU", word);
	parse_suggest(u->ps, word, names.at, names.n);
	vec_release(&names);
	return -1;
}

/* Each cpu= adds CPUs to those before it. */
static int cpu(const struct use *u)
{
	const char *text = span_text(u->ps, u->term->value);
	struct cpu_list list = {0};
	struct pmu pmu = {0};
	bool good = !cpus_parse(text, &list);

	vec_release(&list);
	if (!good && isdigit((unsigned char)*text))
		return parse_fail(u->ps, u->term->value.p, "'%s' is no list of CPUs", text);
	if (!good) {
		if (cpus_of_pmu(u, &pmu))
			return -1;
		text = pmu.cpus;
		pmu_release(&pmu);
		if (!text) /* the PMU is on all CPUs */
			return 0;
	}
	u->ev->cpus = u->ev->fixed & FIXED_CPUS
			      ? arena_printf(&u->ps->set->arena, "%s,%s", u->ev->cpus, text)
			      : arena_strdup(&u->ps->set->arena, text);
	u->ev->fixed |= FIXED_CPUS;
	return 0;
}

static int metric_id(const struct use *u)
{
	u->ev->metric_id = value_copy(u);
	return 0;
}

static int ratio(const struct use *u)
{
	const char *text = span_text(u->ps, u->term->value);
	char *end;

	u->ev->ratio = strtod(text, &end);
	if (end == text || *end || !(u->ev->ratio > 0 && u->ev->ratio < 1e9))
		return parse_fail(u->ps, u->term->value.p,
				  "a ratio is a number above 0, as in ratio-to-prev=0.5");
	return 0;
}

enum value_kind { NUMBER, BOOL, TEXT };

static const struct generic_term {
	const char *name;
	enum value_kind kind;
	int (*apply)(const struct use *u);
} generic_terms[] = {
	{"config", NUMBER, config},
	{"config1", NUMBER, config},
	{"config2", NUMBER, config},
	{"config3", NUMBER, config},
	{"config4", NUMBER, config},
	{"name", TEXT, name},
	{"period", NUMBER, period},
	{"freq", NUMBER, freq},
	{"time", BOOL, time_stamp},
	{"call-graph", TEXT, call_graph},
	{"stack-size", NUMBER, stack_size},
	{"max-stack", NUMBER, max_stack},
	{"nr", NUMBER, max_events},
	{"inherit", BOOL, inherit},
	{"no-inherit", BOOL, inherit},
	{"overwrite", BOOL, overwrite},
	{"no-overwrite", BOOL, overwrite},
	{"branch_type", TEXT, branch_type},
	{"percore", BOOL, percore},
	{"aux-output", BOOL, aux_output},
	{"aux-action", TEXT, aux_action},
	{"aux-sample-size", NUMBER, aux_sample_size},
	{"cpu", TEXT, cpu},
	{"metric-id", TEXT, metric_id},
	{"ratio-to-prev", TEXT, ratio},
};

/* Fails for a value that is not a number, with the reason as far as known. */
static int not_a_number(struct parser *ps, const struct term *t)
{
	const char *name = span_text(ps, t->name), *v = span_text(ps, t->value);

	if (v[0] == '-' && isdigit((unsigned char)v[1]))
		return parse_fail(ps, t->value.p, "'%s' cannot be negative", name);
	if (v[0] == '0' && v[strspn(v, "0123456789")] == 0)
		return parse_fail(ps, t->value.p,
				  "a number that begins with 0 is octal, and '%s' is not", v);
	if (isdigit((unsigned char)v[0]) && v[strspn(v, "0123456789")] == 0)
		return parse_fail(ps, t->value.p, "'%s' is more than 64 bits", v);
	return parse_fail(ps, t->value.p, "'%s' takes a number", name);
}

int parse_generic_term(struct parser *ps, struct event *ev, const struct term *t)
{
	const struct generic_term *g = generic_terms;
	struct use use = {ps, ev, t, 1};

	while (g < generic_terms + ARRAY_SIZE(generic_terms) && !span_is(t->name, g->name))
		g++;
	if (g == generic_terms + ARRAY_SIZE(generic_terms))
		return 0;
	if (g->kind == TEXT && !t->has_value)
		return parse_fail(ps, t->name.p, "'%s' needs a value", g->name);
	if (g->kind != TEXT && t->has_value && !span_number(t->value, &use.v))
		return not_a_number(ps, t);
	if (g->kind == BOOL && use.v > 1)
		return parse_fail(ps, t->value.p, "'%s' takes 0 or 1", g->name);
	return g->apply(&use) ? -1 : 1;
}

int parse_unknown_term(struct parser *ps, const struct term *t, const struct pmu *pmu)
{
	struct names names = {0};

	for (size_t i = 0; i < ARRAY_SIZE(generic_terms); i++)
		vec_add(&names, generic_terms[i].name);
	if (pmu) {
		for (size_t i = 0; i < pmu->formats.n; i++)
			vec_add(&names, pmu->formats.at[i].name);
		pmu_alias_names(ps->host->pmu_root, pmu->name, &ps->arena, &names);
		parse_fail(ps, t->name.p, "PMU '%s' has no term or event '%s'", pmu->name,
			   span_text(ps, t->name));
	} else {
		parse_fail(ps, t->name.p, "no term is called '%s'", span_text(ps, t->name));
	}
	parse_suggest(ps, span_text(ps, t->name), names.at, names.n);
	vec_release(&names);
	return -1;
}

int parse_terms_apply(struct parser *ps, struct event *ev, const struct terms *terms)
{
	for (size_t i = 0; i < terms->n; i++) {
		int got = parse_generic_term(ps, ev, &terms->at[i]);

		if (got <= 0)
			return got ? -1 : parse_unknown_term(ps, &terms->at[i], NULL);
	}
	return 0;
}
