// SPDX-License-Identifier: MIT
/* Places the events of metrics: decides which events share a group, and which metrics share
 * events. */
#include "event/metric/select_state.h"

#include <string.h>

/* Events that stay together: a group, or one event. */
struct cluster {
	const char *pmu; /* of a group: the PMU that counts it; NULL: a single event */
	uint32_t *kinds;
	uint32_t n;
	uint32_t *events; /* indices in the set, once placed */
	bool shared;	  /* other metrics may use it */
	bool topdown;	  /* slots leads it; the other events are counted only beside slots */
};

/* The kinds of events that a use needs, each once, in the order of its inputs. */
struct needs {
	uint32_t *kinds, *clusters;
	uint32_t n;
	uint32_t counters; /* how many of the kinds take a counter */
	bool group;
};

struct placer {
	struct metric_selector *s;
	VEC(struct cluster) clusters;
	uint32_t *alone; /* of each kind: the shared cluster that has only it, or HASH_NONE */
	uint32_t *mark;	 /* of each kind: the last use that needed it */
	uint32_t *stamp; /* of each kind: the number of the last search that included it */
	uint32_t stamps;
	uint32_t *events;    /* of each kind: index in the set of the event that the current use
			      * has */
	struct needs *needs; /* of each new use */
	uint32_t *order;     /* the new uses, sorted: those with many counters first */
	struct event **tail; /* the set's events from s->before on, as they will be */
	size_t n_tail;
	uint32_t asked; /* the highest number that an event of the set has */
	/* for the use being placed: .asked of copies by .asked of the originals */
	VEC(struct renumbered { uint32_t from, to; }) renumbered;
};

static bool fits_into_a_group(struct metric_selector *s, const struct metric_plan *plan)
{
	double smt;

	if (s->flags & METRIC_SELECT_NO_GROUP || plan->no_group)
		return false;
	for (uint32_t i = 0; i < plan->n_steps; i++) {
		unsigned int flags = plan->steps[i].metric ? plan->steps[i].metric->flags : 0;

		if (flags & METRIC_NO_GROUP)
			return false;
		if (flags & (METRIC_NO_GROUP_WATCHDOG | METRIC_NO_THRESHOLD_WATCHDOG) &&
		    s->watchdog)
			return false;
		if (flags & METRIC_NO_GROUP_SMT && metric_literal("smt_on", &s->facts, &smt) &&
		    smt == 1)
			return false;
	}
	return true;
}

static void find_needs(struct placer *p, uint32_t use)
{
	struct metric_selector *s = p->s;
	const struct metric_plan *plan = s->sel->uses.at[s->uses_before + use].plan;
	struct needs *needs = &p->needs[use];
	uint32_t most = 0;

	for (uint32_t i = 0; i < plan->n_inputs; i++)
		most += s->wanted.at[plan->inputs[i].wanted].n_kinds;
	needs->kinds = arena_alloc(&s->arena, most * sizeof(*needs->kinds));
	needs->clusters = arena_alloc(&s->arena, most * sizeof(*needs->clusters));
	needs->group = fits_into_a_group(s, plan);
	for (uint32_t i = 0; i < plan->n_inputs; i++) {
		const struct metric_wanted *w = &s->wanted.at[plan->inputs[i].wanted];

		for (uint32_t k = 0; k < w->n_kinds; k++) {
			if (p->mark[w->kinds[k]] == use)
				continue;
			p->mark[w->kinds[k]] = use;
			needs->kinds[needs->n++] = w->kinds[k];
			needs->counters += s->kinds.at[w->kinds[k]].pmu != NULL;
		}
	}
}

static uint32_t add_cluster(struct placer *p, const char *pmu, const uint32_t *kinds, uint32_t n)
{
	struct cluster c = {.pmu = pmu, .n = n};

	c.shared = !(p->s->flags & METRIC_SELECT_NO_MERGE);
	c.kinds = arena_copy(&p->s->arena, kinds, n * sizeof(*kinds));
	vec_add(&p->clusters, c);
	return (uint32_t)p->clusters.n - 1;
}

/* A group that has all of these kinds already, or HASH_NONE. */
static uint32_t group_with(struct placer *p, const char *pmu, const uint32_t *kinds, uint32_t n)
{
	uint32_t stamp = ++p->stamps;

	for (uint32_t i = 0; i < n; i++)
		p->stamp[kinds[i]] = stamp;
	for (uint32_t c = 0; c < p->clusters.n; c++) {
		const struct cluster *have = &p->clusters.at[c];
		uint32_t found = 0;

		if (!have->shared || have->topdown || !have->pmu || have->n < n ||
		    strcmp(have->pmu, pmu))
			continue;
		for (uint32_t k = 0; k < have->n; k++)
			found += p->stamp[have->kinds[k]] == stamp;
		if (found == n)
			return c;
	}
	return HASH_NONE;
}

static bool is_like(const struct metric_kind *a, const struct metric_kind *b)
{
	return a->pmu && !strcmp(a->pmu, b->pmu) && a->topdown == b->topdown;
}

static void add_kind(struct placer *p, struct cluster *c, uint32_t kind)
{
	bool slots = p->s->kinds.at[kind].ev->attr.config == METRIC_SLOTS;
	uint32_t *more;

	for (uint32_t i = 0; i < c->n; i++)
		if (c->kinds[i] == kind)
			return;
	more = arena_alloc(&p->s->arena, (c->n + 1) * sizeof(*more));
	memcpy(more + slots, c->kinds, c->n * sizeof(*more));
	more[slots ? 0 : c->n] = kind;
	c->kinds = more;
	c->n++;
}

/*
 * The group of slots and the events that are counted beside it. They take no general counter and
 * are all read at once: one such group serves all metrics. Other events in it could only keep it
 * from being scheduled.
 */
static uint32_t topdown_group(struct placer *p, const char *pmu, const uint32_t *kinds, uint32_t n)
{
	uint32_t at = 0;
	struct cluster *c;

	for (; at < p->clusters.n; at++) {
		c = &p->clusters.at[at];
		if (c->topdown && c->shared && !strcmp(c->pmu, pmu))
			break;
	}
	if (at == p->clusters.n)
		add_cluster(p, pmu, NULL, 0);
	c = &p->clusters.at[at];
	c->topdown = true;
	for (uint32_t i = 0; i < n; i++)
		add_kind(p, c, kinds[i]);
	return at;
}

/* Makes the cluster of the events of one use that are of like's PMU, and topdown as like is. */
static void gather_group(struct placer *p, struct needs *needs, const struct metric_kind *like)
{
	uint32_t *kinds = arena_alloc(&p->s->arena, needs->n * sizeof(*kinds)), n = 0, c;
	const char *pmu = like->pmu;

	for (uint32_t i = 0; i < needs->n; i++)
		if (is_like(&p->s->kinds.at[needs->kinds[i]], like))
			kinds[n++] = needs->kinds[i];
	if (like->topdown) {
		c = topdown_group(p, pmu, kinds, n);
	} else {
		c = group_with(p, pmu, kinds, n);
		if (c == HASH_NONE)
			c = add_cluster(p, pmu, kinds, n);
	}
	for (uint32_t i = 0; i < needs->n; i++)
		if (is_like(&p->s->kinds.at[needs->kinds[i]], like))
			needs->clusters[i] = c;
}

static void select_place_gather(struct placer *p, struct needs *needs)
{
	bool merge = !(p->s->flags & METRIC_SELECT_NO_MERGE);

	for (uint32_t i = 0; i < needs->n; i++)
		needs->clusters[i] = HASH_NONE;
	for (uint32_t i = 0; i < needs->n; i++) {
		uint32_t kind = needs->kinds[i];

		if (needs->clusters[i] != HASH_NONE)
			continue;
		if (p->s->kinds.at[kind].topdown || (needs->group && p->s->kinds.at[kind].pmu)) {
			gather_group(p, needs, &p->s->kinds.at[kind]);
			continue;
		}
		if (merge && p->alone[kind] != HASH_NONE) {
			needs->clusters[i] = p->alone[kind];
			continue;
		}
		needs->clusters[i] = p->alone[kind] = add_cluster(p, NULL, &kind, 1);
	}
}

/* The .asked of a copy: copies of events that share a number share a new one within a use. */
static uint32_t new_number(struct placer *p, uint32_t from)
{
	for (size_t i = 0; i < p->renumbered.n; i++)
		if (p->renumbered.at[i].from == from)
			return p->renumbered.at[i].to;
	vec_add(&p->renumbered, (struct renumbered){from, ++p->asked});
	return p->asked;
}

/* The event of a kind; a copy when the event itself is already placed. */
static struct event *event_of(struct placer *p, struct metric_kind *kind)
{
	struct event *ev = kind->ev;

	if (kind->placed) {
		ev = arena_copy(&p->s->set->arena, ev, sizeof(*ev));
		memset(&ev->ids, 0, sizeof(ev->ids));
		ev->asked = new_number(p, ev->asked);
	}
	kind->placed = true;
	return ev;
}

static void place_cluster(struct placer *p, struct cluster *c)
{
	uint32_t leader = (uint32_t)(p->s->before + p->n_tail);

	c->events = arena_alloc(&p->s->arena, c->n * sizeof(*c->events));
	for (uint32_t i = 0; i < c->n; i++) {
		struct event *ev = event_of(p, &p->s->kinds.at[c->kinds[i]]);

		ev->index = leader + i;
		ev->leader = leader;
		ev->members = i ? 1 : c->n;
		/* not for slots: its events don't open outside of the group either */
		ev->weak_group = !i && c->n > 1 && !c->topdown;
		c->events[i] = ev->index;
		p->tail[p->n_tail++] = ev;
	}
}

/* Sets p->events, the indices of a use's events in the set, for the kinds that it needs. */
static void find_events(struct placer *p, const struct needs *needs)
{
	for (uint32_t i = 0; i < needs->n; i++) {
		const struct cluster *c = &p->clusters.at[needs->clusters[i]];
		uint32_t k = 0;

		while (c->kinds[k] != needs->kinds[i])
			k++;
		p->events[needs->kinds[i]] = c->events[k];
	}
}

static int by_index(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void select_place_tell(struct placer *p, uint32_t nth)
{
	struct metric_selector *s = p->s;
	struct arena *arena = &s->sel->arena;
	struct metric_use *use = &s->sel->uses.at[s->uses_before + nth];
	const struct needs *needs = &p->needs[nth];
	const struct metric_plan *plan = use->plan;
	uint32_t *all = arena_alloc(arena, needs->n * sizeof(*all));
	bool shown = false;

	find_events(p, needs);
	for (uint32_t i = 0; i < needs->n; i++)
		all[i] = p->events[needs->kinds[i]];
	qsort(all, needs->n, sizeof(*all), by_index);
	use->events = all;
	use->n_events = needs->n;
	for (uint32_t i = 0; i < plan->n_inputs; i++) {
		struct metric_input *in = &plan->inputs[i];
		const struct metric_wanted *w = &s->wanted.at[in->wanted];
		uint32_t *events = arena_alloc(arena, w->n_kinds * sizeof(*events));

		for (uint32_t k = 0; k < w->n_kinds; k++)
			events[k] = p->events[w->kinds[k]];
		in->events = events;
		in->n_events = w->n_kinds;
		if (!i || (!shown && !s->kinds.at[w->kinds[0]].ev->tool)) {
			use->event = events[0];
			shown = !s->kinds.at[w->kinds[0]].ev->tool;
		}
	}
}

/* Sorts uses with many counters first, so that smaller ones can use their groups. Stable. */
static void sort_by_size(struct placer *p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = i;

		for (; at && p->needs[p->order[at - 1]].counters < p->needs[i].counters; at--)
			p->order[at] = p->order[at - 1];
		p->order[at] = i;
	}
}

void metric_place(struct metric_selector *s)
{
	uint32_t uses = (uint32_t)(s->sel->uses.n - s->uses_before), n = (uint32_t)s->kinds.n;
	struct placer p = {.s = s};
	size_t most = 0;

	p.alone = arena_alloc(&s->arena, n * sizeof(*p.alone));
	p.mark = arena_alloc(&s->arena, n * sizeof(*p.mark));
	p.stamp = arena_alloc(&s->arena, n * sizeof(*p.stamp));
	p.events = arena_alloc(&s->arena, n * sizeof(*p.events));
	memset(p.alone, 0xff, n * sizeof(*p.alone));
	memset(p.mark, 0xff, n * sizeof(*p.mark));
	p.needs = arena_alloc(&s->arena, uses * sizeof(*p.needs));
	p.order = arena_alloc(&s->arena, uses * sizeof(*p.order));
	for (uint32_t i = 0; i < uses; i++)
		find_needs(&p, i);
	sort_by_size(&p, uses);
	for (uint32_t i = 0; i < uses; i++)
		select_place_gather(&p, &p.needs[p.order[i]]);
	for (size_t c = 0; c < p.clusters.n; c++)
		most += p.clusters.at[c].n;
	p.tail = arena_alloc(&s->arena, most * sizeof(struct event *));
	for (size_t i = 0; i < s->set->events.n; i++)
		p.asked = MAX(p.asked, s->set->events.at[i]->asked);
	for (uint32_t i = 0; i < uses; i++) {
		vec_clear(&p.renumbered);
		for (uint32_t k = 0; k < p.needs[i].n; k++) {
			struct cluster *c = &p.clusters.at[p.needs[i].clusters[k]];

			if (!c->events)
				place_cluster(&p, c);
		}
	}
	s->set->events.n = s->before;
	for (size_t i = 0; i < p.n_tail; i++)
		vec_add(&s->set->events, p.tail[i]);
	for (uint32_t i = 0; i < uses; i++)
		select_place_tell(&p, i);
	vec_release(&p.clusters);
	vec_release(&p.renumbered);
}
