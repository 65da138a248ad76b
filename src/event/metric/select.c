// SPDX-License-Identifier: MIT
#include "event/metric/select_state.h"

#include "base/options/options.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

void metric_selection_release(struct metric_selection *sel)
{
	vec_release(&sel->uses);
	vec_release(&sel->skipped);
	arena_release(&sel->arena);
}

/* An entry of the user's list. */
struct wish {
	const char *name, *modifiers;
	const char *lower; /* the name, when it is a pattern */
};

enum match { MATCH_NOT, MATCH_LOOSELY, MATCH_BY_NAME };

static const char *lowered(struct arena *arena, const char *s, size_t n)
{
	char *copy = arena_strndup(arena, s, n);

	for (char *p = copy; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return copy;
}

/* True when the wish's name or pattern matches one of the groups in list. */
static bool wants_group(struct metric_selector *s, const struct wish *w, const char *list)
{
	const char *group;
	size_t n;

	while ((group = metric_next_group(&list, &n)))
		if ((strlen(w->name) == n && !strncasecmp(group, w->name, n)) ||
		    (w->lower && glob_match(w->lower, lowered(&s->arena, group, n))))
			return true;
	return false;
}

static bool has_groups(const struct metric *m)
{
	return m->groups && m->groups[strspn(m->groups, "; ")];
}

static enum match select_matches(struct metric_selector *s, const struct metric *m,
				 const struct wish *w)
{
	if (!strcasecmp(m->name, w->name))
		return MATCH_BY_NAME;
	if (!strcasecmp(w->name, "all") || wants_group(s, w, m->groups))
		return MATCH_LOOSELY;
	if (!strcasecmp(w->name, "no_group"))
		return has_groups(m) ? MATCH_NOT : MATCH_LOOSELY;
	if (w->lower && glob_match(w->lower, lowered(&s->arena, m->name, strlen(m->name))))
		return MATCH_LOOSELY;
	return MATCH_NOT;
}

static bool selected(const struct metric_selector *s, const struct metric *m, const char *modifiers)
{
	for (size_t i = s->uses_before; i < s->sel->uses.n; i++) {
		const struct metric_use *use = &s->sel->uses.at[i];

		if (use->metric == m && !strcmp(use->modifiers, modifiers))
			return true;
	}
	return false;
}

static void add_use(struct metric_selector *s, const struct metric *m, const char *modifiers,
		    const struct metric_plan *plan)
{
	struct arena *arena = &s->sel->arena;
	const char *name = m->name;
	struct metric_use use = {.metric = m, .modifiers = modifiers, .decimals = 2, .plan = plan};

	if (*modifiers)
		name = arena_printf(arena, "%s:%s", name, modifiers);
	use.scale = metric_scale(m->scale_unit ? m->scale_unit : "", &use.unit);
	use.text = name;
	if (m->scale_unit) {
		use.decimals = 1;
		use.text = arena_printf(arena, "%s  %s", use.unit, name);
	}
	vec_add(&s->sel->uses, use);
}

static int select_unknown(const struct metric_selector *s, const struct wish *w, struct err *err)
{
	VEC(const char *) names = {0};
	const char *near;

	for (size_t i = 0; i < metric_builtin_count; i++)
		if (!strcasecmp(metric_builtin[i].name, w->name)) {
			err_set(err, ERR_UNSUPPORTED,
				"metric '%s' needs events that this machine doesn't have",
				metric_builtin[i].name);
			return err_hint(err, "'perf list metric' shows what it can compute");
		}
	for (size_t i = 0; i < s->table->metrics.n; i++)
		vec_add(&names, s->table->metrics.at[i].name);
	for (size_t i = 0; i < s->table->groups.n; i++)
		vec_add(&names, s->table->groups.at[i].name);
	near = nearest_name(w->name, names.at, names.n);
	err_set(err, ERR_USAGE, "cannot find metric or group '%.200s'%s%.200s%s", w->name,
		near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	vec_release(&names);
	return err_hint(err, "'perf list metric' and 'perf list metricgroup' show what there is");
}

static int select_wish(struct metric_selector *s, const struct wish *w, struct err *err)
{
	const struct metric *failed = NULL;
	const char *why = NULL, *first_why = NULL;
	bool found = false, by_name = false, known = false;

	for (size_t i = 0; i < s->table->metrics.n; i++) {
		const struct metric *m = s->rows[i];
		enum match match = select_matches(s, m, w);
		struct metric_plan *plan;

		if (match == MATCH_NOT)
			continue;
		known = true;
		by_name |= match == MATCH_BY_NAME;
		if (selected(s, m, w->modifiers)) {
			found = true;
			continue;
		}
		plan = metric_plan_make(s, m, w->modifiers, &why);
		if (plan) {
			found = true;
			plan->no_group =
				match == MATCH_LOOSELY && wants_group(s, w, m->no_group_in);
			add_use(s, m, w->modifiers, plan);
			continue;
		}
		vec_add(&s->sel->skipped, (struct metric_skipped){m, why});
		if (!failed) {
			failed = m;
			first_why = why;
		}
	}
	if (found)
		return 0;
	if (!known)
		return select_unknown(s, w, err);
	err_set(err, ERR_UNSUPPORTED, "metric '%.100s': %.600s", failed->name, first_why);
	if (by_name)
		return -1;
	return err_hint(err, "no other metric of '%.100s' can be counted here either", w->name);
}

/* Entries are separated by commas; empty ones don't matter. */
static int select_list(struct metric_selector *s, const char *list, struct err *err)
{
	bool any = false;

	while (*list) {
		size_t n = strcspn(list, ",");
		struct wish w = {.modifiers = ""};
		char *name, *colon;

		list += strspn(list, " \t");
		n = strcspn(list, ",");
		name = arena_strndup(&s->sel->arena, list, n);
		list += n + (list[n] == ',');
		for (n = strlen(name); n && isspace((unsigned char)name[n - 1]);)
			name[--n] = 0;
		colon = strchr(name, ':');
		if (colon) {
			*colon = 0;
			w.modifiers = colon + 1;
		}
		w.name = name;
		if (strpbrk(name, "*?["))
			w.lower = lowered(&s->arena, name, strlen(name));
		if (!*name)
			continue;
		any = true;
		if (select_wish(s, &w, err))
			return -1;
	}
	return any ? 0 : err_set(err, ERR_USAGE, "no metric is named");
}

int metric_select(struct metric_selection *sel, struct event_set *set, const char *list,
		  unsigned int flags, const struct metric_table *table,
		  const struct event_host *host, const struct metric_facts *facts, struct err *err)
{
	struct metric_selector s = {.sel = sel,
				    .set = set,
				    .flags = flags,
				    .table = table,
				    .host = host,
				    .facts = *facts,
				    .before = set->events.n,
				    .uses_before = sel->uses.n};
	size_t skipped = sel->skipped.n;
	int ret;

	s.facts.known = &s.known;
	s.watchdog = facts->proc_root && fact_nmi_watchdog(facts->proc_root);
	s.rows = arena_alloc(&s.arena, table->metrics.n * sizeof(*s.rows));
	for (size_t i = 0; i < table->metrics.n; i++)
		s.rows[table->metrics.at[i].row] = &table->metrics.at[i];
	s.folded = mem_zero(table->metrics.n * sizeof(*s.folded));
	ret = select_list(&s, list, err);
	if (ret) {
		set->events.n = s.before;
		sel->uses.n = s.uses_before;
		sel->skipped.n = skipped;
	} else {
		metric_place(&s);
	}
	free(s.folded);
	vec_release(&s.wanted);
	vec_release(&s.kinds);
	intern_release(&s.texts);
	intern_release(&s.same);
	arena_release(&s.arena);
	return ret;
}

/* The count of an input: the sum of its events with a known count. */
static double sum_of(const struct metric_input *in, const struct event_set *set,
		     const double *counts, uint32_t *sources)
{
	double sum = 0;

	*sources = 0;
	for (uint32_t i = 0; i < in->n_events; i++) {
		const struct event *ev = set->events.at[in->events[i]];
		double v = counts[in->events[i]];

		if (v != v)
			continue;
		if (ev->tool == TOOL_DURATION_TIME || ev->tool == TOOL_USER_TIME ||
		    ev->tool == TOOL_SYSTEM_TIME)
			v /= 1e9; /* expressions use seconds */
		else if (in->scaled)
			v *= ev->scale;
		sum += v;
		++*sources;
	}
	return *sources ? sum : NAN;
}

struct computing {
	const struct metric_plan *plan;
	const double *inputs, *steps;
	const uint32_t *sources;
};

static double select_value_of(const struct computing *c, const struct metric_step *step)
{
	uint32_t n = step->expr->n_ids;
	double few[16], *values = n <= ARRAY_SIZE(few) ? few : mem_alloc(n * sizeof(*values)), v;
	uint32_t few_sources[16], *sources = few_sources;

	if (n > ARRAY_SIZE(few_sources))
		sources = mem_alloc(n * sizeof(*sources));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t slot = step->slots[i];
		bool is_step = slot & METRIC_STEP;

		values[i] = is_step ? c->steps[slot & ~METRIC_STEP] : c->inputs[slot];
		sources[i] = is_step ? 1 : c->sources[slot];
	}
	v = metric_eval(step->expr, values, sources);
	if (values != few)
		free(values);
	if (sources != few_sources)
		free(sources);
	return v;
}

void metric_compute(const struct metric_use *use, const struct event_set *set, const double *counts,
		    struct metric_value *out)
{
	const struct metric_plan *plan = use->plan;
	double few[32], *values = few;
	uint32_t few_sources[32], *sources = few_sources;
	struct computing c = {.plan = plan};

	if (plan->n_inputs + plan->n_steps > ARRAY_SIZE(few)) {
		values = mem_alloc((plan->n_inputs + plan->n_steps) * sizeof(*values));
		sources = mem_alloc(plan->n_inputs * sizeof(*sources));
	}
	c.inputs = values;
	c.steps = values + plan->n_inputs;
	c.sources = sources;
	for (uint32_t i = 0; i < plan->n_inputs; i++)
		values[i] = sum_of(&plan->inputs[i], set, counts, &sources[i]);
	for (uint32_t i = 0; i < plan->n_steps; i++)
		values[plan->n_inputs + i] = select_value_of(&c, &plan->steps[i]);
	out->value = c.steps[plan->value] * use->scale;
	out->judgement = METRIC_PLAIN;
	if (plan->threshold != METRIC_NO_STEP && out->value == out->value) {
		double beyond = c.steps[plan->threshold];

		if (beyond == beyond)
			out->judgement = beyond == 0 ? METRIC_GOOD : METRIC_BAD;
	}
	if (values != few) {
		free(values);
		free(sources);
	}
}
