// SPDX-License-Identifier: MIT
/* Plans how to compute a metric: tells which names are metrics and which are events, and orders the
 * steps. */
#include "event/metric/select_state.h"

#include "event/parse.h"
#include "os/machine/pmu.h"

#include <string.h>

/* The state of making a plan. */
struct planner {
	struct metric_selector *s;
	const char *modifiers;
	VEC(struct metric_input) inputs;
	VEC(struct metric_step) steps;
	const struct metric *nested[METRIC_NESTED_MOST]; /* begun, not yet a step */
	unsigned int depth;
	bool no_new_inputs;
	const char *why;
};

static int select_plan_fail(struct planner *p, const char *why)
{
	if (!p->why)
		p->why = why;
	return -1;
}

/* The metric that a name means in an expression for the PMU pmu. */
static const struct metric *referred(const struct metric_table *t, const char *name,
				     const char *pmu)
{
	const struct metric *first, *best;
	size_t n;

	best = first = metric_find(t, name, &n);
	for (size_t i = 0; i < n; i++) {
		if (first[i].pmu && pmu && !strcmp(first[i].pmu, pmu))
			return &first[i];
		if (!first[i].pmu)
			best = &first[i];
	}
	return n ? best : NULL;
}

static const struct metric_folded *folded(struct metric_selector *s, const struct metric *m)
{
	struct metric_folded *f = &s->folded[m - s->table->metrics.at];
	struct arena *arena = &s->sel->arena;
	struct event_host host = *s->host;
	const struct metric_expr *e;
	struct err err = {0};

	if (f->tried)
		return f;
	f->tried = true;
	e = metric_parse(m->expr, &s->arena, &err);
	if (e)
		f->expr = metric_fold(e, &s->facts, metric_has_event, &host, arena);
	else
		f->why = arena_strdup(arena, err.text);
	e = m->threshold ? metric_parse(m->threshold, &s->arena, NULL) : NULL;
	if (e)
		f->threshold = metric_fold(e, &s->facts, metric_has_event, &host, arena);
	return f;
}

static size_t cores_of(struct metric_selector *s)
{
	const char *root = s->host->pmu_root;
	struct names names = {0};

	if (!s->cores_counted && root && !pmu_names(root, &s->arena, &names, NULL))
		for (size_t i = 0; i < names.n; i++)
			s->cores += pmu_is_core(root, names.at[i]);
	s->cores_counted = true;
	vec_release(&names);
	return s->cores;
}

const char *metric_counter_of(struct metric_selector *s, const struct event *ev)
{
	/* PMUs whose events the kernel counts in software */
	static const char *const software[] = {"software", "tracepoint", "breakpoint",
					       "kprobe",   "uprobe",	 "msr"};

	if (ev->tool || ev->readout.kind || ev->attr.type == TYPE_SOFTWARE ||
	    ev->attr.type == TYPE_TRACEPOINT || ev->attr.type == TYPE_BREAKPOINT)
		return NULL;
	for (size_t i = 0; ev->pmu && i < ARRAY_SIZE(software); i++)
		if (!strcmp(ev->pmu, software[i]))
			return NULL;
	/* events without a PMU, and those of the only core PMU, use the counters of the cores */
	if (!ev->pmu || !strcmp(ev->pmu, "cpu"))
		return "cpu";
	if (!s->host->pmu_root || !pmu_is_core(s->host->pmu_root, ev->pmu))
		return ev->pmu;
	return cores_of(s) > 1 ? ev->pmu : "cpu";
}

/* Their event code is 0; slots has umask 4, topdown-* have 0x80 and up
 * (arch/x86/events/intel/core.c). */
bool metric_is_topdown(const struct metric_selector *s, const struct event *ev)
{
	struct arena arena = {0};
	bool is = false;

	if (ev->pmu && s->host->pmu_root && !strncmp(ev->pmu, "cpu", 3) &&
	    (ev->attr.config == METRIC_SLOTS || (ev->attr.config & ~0x700ull) == 0x8000))
		is = pmu_text(s->host->pmu_root, ev->pmu, "events/slots", &arena);
	arena_release(&arena);
	return is;
}

static void put_text(struct buf *b, const char *s)
{
	if (s)
		buf_str(b, s);
	buf_char(b, 0);
}

/* The kind of an event: equal events have one kind. */
static uint32_t select_plan_kind_of(struct metric_selector *s, struct event *ev)
{
	const uint8_t wishes[] = {ev->tool, ev->precise_max, ev->bpf_counter, ev->percore,
				  (uint8_t)ev->readout.kind};
	AUTO_BUF key = {0};
	uint32_t id;

	buf_add(&key, &ev->attr, sizeof(ev->attr));
	buf_add(&key, wishes, sizeof(wishes));
	put_text(&key, ev->pmu);
	put_text(&key, ev->cpus);
	put_text(&key, ev->cgroup);
	put_text(&key, ev->driver_config);
	put_text(&key, ev->filter);
	put_text(&key, ev->readout.path);
	put_text(&key, ev->readout.driver);
	put_text(&key, ev->readout.key);
	id = intern_put(&s->same, key.at, key.n);
	if (id == s->kinds.n)
		vec_add(&s->kinds, (struct metric_kind){.ev = ev,
							.pmu = metric_counter_of(s, ev),
							.topdown = metric_is_topdown(s, ev)});
	return id;
}

static bool try(struct metric_selector *s, const char *text, struct err *err)
{
	size_t before = s->set->events.n;

	if (!event_parse(s->set, text, s->host, err) && s->set->events.n > before)
		return true;
	s->set->events.n = before;
	return false;
}

/* Appends the events that a name means, with the modifiers added to its own. */
static bool select_plan_parse(struct metric_selector *s, const char *text, const char *modifiers,
			      struct err *err)
{
	size_t before = s->set->events.n;
	bool terms = strchr(text, '/') != NULL;

	if (!*modifiers)
		return try(s, text, err);
	/* tool events take no modifiers */
	if (try(s, text, NULL) && s->set->events.at[before]->tool)
		return true;
	s->set->events.n = before;
	/* after a colon may be modifiers, or a tracepoint's name */
	if ((terms || strchr(text, ':')) &&
	    try(s, arena_printf(&s->arena, "%s%s", text, modifiers), err))
		return true;
	return !terms && try(s, arena_printf(&s->arena, "%s:%s", text, modifiers), err);
}

/* pmu: of events on several PMUs, take only those of this one. */
static uint32_t wanted_of(struct metric_selector *s, const char *text, const char *modifiers,
			  const char *pmu)
{
	struct metric_wanted w = {.text = text, .modifiers = modifiers, .pmu = pmu};
	size_t before = s->set->events.n, n;
	struct err err = {0};
	AUTO_BUF key = {0};
	bool of_pmu = false;
	uint32_t id;

	put_text(&key, text);
	put_text(&key, modifiers);
	put_text(&key, pmu);
	id = intern_put(&s->texts, key.at, key.n);
	if (id < s->wanted.n)
		return id;
	if (!select_plan_parse(s, text, modifiers, &err)) {
		w.why = arena_strdup(&s->sel->arena, err.text);
		vec_add(&s->wanted, w);
		return id;
	}
	n = s->set->events.n - before;
	for (size_t i = 0; i < n && pmu; i++) {
		const struct event *ev = s->set->events.at[before + i];

		of_pmu |= ev->pmu && !strcmp(ev->pmu, pmu);
	}
	w.kinds = arena_alloc(&s->arena, n * sizeof(*w.kinds));
	for (size_t i = 0; i < n; i++) {
		struct event *ev = s->set->events.at[before + i];

		if (!of_pmu || (ev->pmu && !strcmp(ev->pmu, pmu)))
			w.kinds[w.n_kinds++] = select_plan_kind_of(s, ev);
	}
	vec_add(&s->wanted, w);
	return id;
}

static int input_of(struct planner *p, const struct metric *owner, const char *id, uint32_t *slot)
{
	struct metric_input in = {.id = id,
				  .scaled = owner->flags & METRIC_SCALED,
				  .wanted = wanted_of(p->s, id, p->modifiers, owner->pmu)};
	const char *why = p->s->wanted.at[in.wanted].why;

	if (why)
		return select_plan_fail(p, why);
	for (uint32_t i = 0; i < p->inputs.n; i++)
		if (p->inputs.at[i].wanted == in.wanted && p->inputs.at[i].scaled == in.scaled) {
			*slot = i;
			return 0;
		}
	if (p->no_new_inputs)
		return select_plan_fail(p, "its threshold needs more events");
	*slot = (uint32_t)p->inputs.n;
	vec_add(&p->inputs, in);
	return 0;
}

static int step_of(struct planner *p, const struct metric *m, uint32_t *slot);

static bool begun(const struct planner *p, const struct metric *m)
{
	for (unsigned int i = 0; i < p->depth; i++)
		if (p->nested[i] == m)
			return true;
	return false;
}

static int slot_of(struct planner *p, const struct metric *owner, const char *id, uint32_t *slot)
{
	const struct metric *m = referred(p->s->table, id, owner->pmu);

	if (!m)
		return input_of(p, owner, id, slot);
	if (!begun(p, m))
		return step_of(p, m, slot);
	/* a metric may be called as the event that it is made of */
	if (m == owner) {
		uint32_t event = wanted_of(p->s, id, p->modifiers, owner->pmu);

		if (!p->s->wanted.at[event].why)
			return input_of(p, owner, id, slot);
	}
	return select_plan_fail(
		p, arena_printf(&p->s->sel->arena, "it needs itself, by way of '%s'", id));
}

/* Adds an expression, after all that it needs. */
static int add_step(struct planner *p, const struct metric *owner, const struct metric *metric,
		    const struct metric_expr *expr, uint32_t *slot)
{
	struct arena *arena = &p->s->sel->arena;
	uint32_t *slots = arena_alloc(arena, expr->n_ids * sizeof(*slots));

	for (uint32_t i = 0; i < expr->n_ids; i++)
		if (slot_of(p, owner, expr->ids[i], &slots[i]))
			return -1;
	*slot = METRIC_STEP | (uint32_t)p->steps.n;
	vec_add(&p->steps, (struct metric_step){metric, expr, slots});
	return 0;
}

static int step_of(struct planner *p, const struct metric *m, uint32_t *slot)
{
	const struct metric_folded *f = folded(p->s, m);
	int ret;

	for (uint32_t i = 0; i < p->steps.n; i++)
		if (p->steps.at[i].metric == m) {
			*slot = METRIC_STEP | i;
			return 0;
		}
	if (!f->expr)
		return select_plan_fail(p, f->why);
	if (p->depth == METRIC_NESTED_MOST)
		return select_plan_fail(p, "too many metrics refer to each other");
	p->nested[p->depth++] = m;
	ret = add_step(p, m, m, f->expr, slot);
	p->depth--;
	return ret;
}

/* Adds the threshold's step. A threshold that cannot be computed is ignored. */
static uint32_t add_threshold(struct planner *p, const struct metric *m)
{
	const struct metric_expr *e = folded(p->s, m)->threshold;
	size_t inputs = p->inputs.n, steps = p->steps.n;
	uint32_t slot;

	p->no_new_inputs = p->s->flags & METRIC_SELECT_NO_THRESHOLD ||
			   (m->flags & METRIC_NO_THRESHOLD_WATCHDOG && p->s->watchdog);
	if (!e)
		return METRIC_NO_STEP;
	if (!add_step(p, m, NULL, e, &slot))
		return slot & ~METRIC_STEP;
	p->inputs.n = inputs;
	p->steps.n = steps;
	return METRIC_NO_STEP;
}

struct metric_plan *metric_plan_make(struct metric_selector *s, const struct metric *m,
				     const char *modifiers, const char **why)
{
	struct planner p = {.s = s, .modifiers = modifiers};
	struct arena *arena = &s->sel->arena;
	struct metric_plan *plan = NULL;
	uint32_t slot;

	if (!step_of(&p, m, &slot)) {
		/* a metric without inputs needs an event to be shown beside */
		if (!p.inputs.n)
			input_of(&p, m, "duration_time", &(uint32_t){0});
		plan = arena_alloc(arena, sizeof(*plan));
		plan->value = slot & ~METRIC_STEP;
		plan->threshold = add_threshold(&p, m);
		plan->n_inputs = (uint32_t)p.inputs.n;
		plan->n_steps = (uint32_t)p.steps.n;
		plan->inputs = arena_copy(arena, p.inputs.at, p.inputs.n * sizeof(*plan->inputs));
		plan->steps = arena_copy(arena, p.steps.at, p.steps.n * sizeof(*plan->steps));
	}
	*why = p.why;
	vec_release(&p.inputs);
	vec_release(&p.steps);
	return plan;
}
