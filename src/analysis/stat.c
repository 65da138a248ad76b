// SPDX-License-Identifier: MIT
#include "analysis/stat_private.h"

#include <math.h>

void stat_mean_add(struct stat_mean *m, double value)
{
	double delta = value - m->mean;

	m->n++;
	m->mean += delta / (double)m->n;
	m->sum_squares += delta * (value - m->mean);
	m->error = m->n < 2 ? 0 : sqrt(m->sum_squares / (double)(m->n - 1) / (double)m->n);
}

/* "cycles" of "cpu_core/cycles/": what the kinds of cores call the same. */
static const char *name_on_any_core(const struct event *ev, struct arena *a)
{
	size_t n = ev->pmu ? strlen(ev->pmu) : 0;
	const char *end = strrchr(ev->name, '/');

	if (!stat_is_hybrid(ev) || strncmp(ev->name, ev->pmu, n) != 0 || ev->name[n] != '/' ||
	    end == ev->name + n)
		return ev->name;
	n++;
	return arena_printf(a, "%.*s%s%s", (int)(end - ev->name - (ptrdiff_t)n), ev->name + n,
			    end[1] ? ":" : "", end + 1);
}

/* The same on another PMU. */
static bool same_elsewhere(struct stat *s, const struct event *a, const struct event *b)
{
	return a->pmu && b->pmu && strcmp(a->pmu, b->pmu) != 0 &&
	       !strcmp(name_on_any_core(a, &s->names), name_on_any_core(b, &s->names)) &&
	       a->scale == b->scale && !strcmp(a->unit, b->unit) &&
	       !strcmp(a->cgroup ? a->cgroup : "", b->cgroup ? b->cgroup : "");
}

/*
 * Events that the user asked for as one: merged ones of one text, wherever their groups stand. A
 * recording doesn't say so: there, the same on another PMU right behind it.
 */
static uint32_t shown_by(struct stat *s, uint32_t i)
{
	const struct event *ev = s->set->events.at[i];

	if (s->opts.no_merge || (stat_is_hybrid(ev) && !s->opts.hybrid_merge) || !i)
		return i;
	for (uint32_t k = i; ev->merged && k-- > 0;) {
		const struct event *other = s->set->events.at[k];

		if (other->asked == ev->asked && same_elsewhere(s, other, ev))
			return s->events.at[k].shown_by;
	}
	return same_elsewhere(s, s->set->events.at[s->events.at[i - 1].shown_by], ev)
		       ? s->events.at[i - 1].shown_by
		       : i;
}

static void find_merges(struct stat *s)
{
	for (uint32_t i = 0; i < s->events.n; i++) {
		uint32_t first = shown_by(s, i);

		s->events.at[i].shown_by = first;
		s->events.at[first].shows_others |= first != i;
	}
}

/* The name with its PMU, where events of several PMUs with one name stay apart. */
static const char *stat_name_of(struct stat *s, const struct event *ev)
{
	const char *slash = strchr(ev->name, '/');
	bool apart = s->opts.no_merge || (stat_is_hybrid(ev) && !s->opts.hybrid_merge);

	if (stat_is_hybrid(ev) && s->opts.hybrid_merge && !s->opts.no_merge)
		return name_on_any_core(ev, &s->names);
	if (!apart || !ev->pmu || (ev->fixed & FIXED_NAME) ||
	    !strncmp(ev->name, ev->pmu, strlen(ev->pmu)))
		return ev->name;
	if (slash)
		return arena_printf(&s->names, "%s%s", ev->pmu, slash);
	if (s->hybrid)
		return arena_printf(&s->names, "%s/%s/", ev->pmu, ev->name);
	return arena_printf(&s->names, "%s [%s]", ev->name, ev->pmu);
}

struct stat *stat_new(const struct event_set *events, const struct topology *topology,
		      const struct stat_options *opts)
{
	struct stat *s = NEW(struct stat);

	s->set = events;
	s->topology = topology;
	s->opts = *opts;
	for (uint32_t i = 0; i < events->events.n; i++)
		s->hybrid |= stat_is_hybrid(events->events.at[i]);
	for (uint32_t i = 0; i < events->events.n; i++) {
		const struct event *ev = events->events.at[i];
		enum stat_kind kind = stat_kind_of(ev);

		vec_add(&s->events, (struct stat_event){.kind = kind, .name = stat_name_of(s, ev)});
		if (kind != KIND_NONE)
			vec_add(&s->of_kind[kind], i);
	}
	find_merges(s);
	return s;
}

void stat_reset(struct stat *s)
{
	for (size_t i = 0; i < s->events.n; i++) {
		vec_clear(&s->events.at[i].cells);
		vec_clear(&s->events.at[i].merged);
	}
	intern_release(&s->places);
	memset(&s->places, 0, sizeof(s->places));
	for (size_t i = 0; i < ARRAY_SIZE(s->place_of_cpu); i++) {
		idmap_release(&s->place_of_cpu[i]);
		memset(&s->place_of_cpu[i], 0, sizeof(s->place_of_cpu[i]));
	}
	s->elapsed = s->user = s->system = (struct stat_mean){0};
	vec_clear(&s->each_elapsed);
}

void stat_free(struct stat *s)
{
	if (!s)
		return;
	stat_reset(s);
	for (size_t i = 0; i < s->events.n; i++) {
		vec_release(&s->events.at[i].cells);
		vec_release(&s->events.at[i].merged);
	}
	for (size_t i = 0; i < KINDS; i++)
		vec_release(&s->of_kind[i]);
	vec_release(&s->events);
	vec_release(&s->cpus);
	vec_release(&s->order);
	vec_release(&s->each_elapsed);
	vec_release(&s->rows);
	arena_release(&s->names);
	arena_release(&s->metrics);
	free(s);
}

/* The counts that one run or interval adds to a place. */
struct tick {
	double value, enabled, running;
	uint32_t cpus;
	bool present, failed; /* failed: some CPU did not count; that makes the sum void */
};
struct ticks {
	VEC(struct tick) at; /* by place */
};

static struct tick *tick_at(struct ticks *ticks, uint32_t place)
{
	if (place >= ticks->at.n)
		(void)vec_extend(&ticks->at, place + 1 - ticks->at.n);
	return &ticks->at.at[place];
}

/* The count had its event had the hardware all the time, in whole numbers as counters have them. */
static double stat_scaled(const struct stat *s, double value, double enabled, double running)
{
	if (s->opts.no_scale || running >= enabled)
		return value;
	return running > 0 ? floor(value * enabled / running) : 0;
}

static double scaled_count(const struct stat *s, const struct count *c)
{
	double value = s->of_readout ? (double)(int64_t)c->value : (double)c->value;

	return stat_scaled(s, value, (double)c->enabled, (double)c->running);
}

static void tick_add(struct stat *s, struct tick *t, const struct count *c, bool whole)
{
	t->present = true;
	t->value += scaled_count(s, c);
	if (t->failed)
		return;
	t->cpus++;
	t->enabled += (double)c->enabled;
	t->running += (double)c->running;
	/* a sum is void when a counter is missing */
	if (whole && (!c->enabled || !c->running)) {
		t->failed = true;
		t->enabled = t->running = 0;
	}
}

/* All CPUs' and threads' counts are one before they are scaled. */
static void sum_all(struct stat *s, const struct event_counts *counts, struct ticks *ticks)
{
	struct tick *t = tick_at(ticks, stat_place_of_cpu(s, -1, false));
	struct count sum = {0};
	double value = 0; /* less exact, but without an upper end */
	bool over = false;

	for (size_t i = 0; i < counts->at.n; i++) {
		const struct count *c = &counts->at.at[i];

		over |= __builtin_add_overflow(sum.value, c->value, &sum.value);
		value += s->of_readout ? (double)(int64_t)c->value : (double)c->value;
		sum.enabled += c->enabled;
		sum.running += c->running;
	}
	if (!over && !s->of_readout)
		value = (double)sum.value;
	*t = (struct tick){.value = stat_scaled(s, value, (double)sum.enabled, (double)sum.running),
			   .enabled = (double)sum.enabled,
			   .running = (double)sum.running,
			   .cpus = (uint32_t)counts->cpus.n,
			   .present = true};
}

static void sum_threads(struct stat *s, const struct event_counts *counts, size_t threads,
			struct ticks *ticks)
{
	for (size_t thread = 0; thread < threads; thread++) {
		struct tick *t = tick_at(ticks, stat_place_of_thread(s, (uint32_t)thread));

		t->present = true;
		for (size_t i = thread; i < counts->at.n; i += threads)
			tick_add(s, t, &counts->at.at[i], false);
	}
}

/* The core's sum stands at each of its CPUs. */
static void sum_core_of_each(struct stat *s, const struct event_counts *counts, struct ticks *ticks)
{
	struct ticks cores = {0};

	for (size_t i = 0; i < MIN(counts->cpus.n, counts->at.n); i++)
		tick_add(s, tick_at(&cores, stat_place_of_cpu(s, counts->cpus.at[i], true)),
			 &counts->at.at[i], true);
	for (size_t i = 0; i < MIN(counts->cpus.n, counts->at.n); i++) {
		int cpu = counts->cpus.at[i];
		uint32_t core = stat_place_of_cpu(s, cpu, true);

		*tick_at(ticks, stat_place_of_cpu(s, cpu, false)) = *tick_at(&cores, core);
	}
	vec_release(&cores.at);
}

static void sum_cpus(struct stat *s, const struct event *ev, const struct event_counts *counts,
		     size_t threads, struct ticks *ticks)
{
	bool by_core = stat_by_core(s, ev);

	if (s->opts.aggr == STAT_CPU && ev->percore && !by_core) {
		sum_core_of_each(s, counts, ticks);
		return;
	}
	for (size_t i = 0; i < counts->at.n; i++) {
		int cpu = counts->cpus.at[i / threads];

		tick_add(s, tick_at(ticks, stat_place_of_cpu(s, cpu, by_core)), &counts->at.at[i],
			 s->opts.aggr != STAT_CPU || by_core);
	}
}

/* An event without counters is still a row for each CPU. */
static void place_cpus(struct stat *s, const struct event *ev, const struct event_counts *counts,
		       struct ticks *ticks)
{
	for (size_t i = 0; i < counts->cpus.n; i++) {
		int cpu = counts->cpus.at[i];
		struct tick *t = tick_at(ticks, stat_place_of_cpu(s, cpu, stat_by_core(s, ev)));

		t->present = true;
		t->cpus = 1;
	}
}

static void sum_event(struct stat *s, uint32_t event, const struct counts *counts,
		      struct ticks *ticks)
{
	const struct event_counts *ec = &counts->events.at[event];
	size_t threads = counts->threads.n ? counts->threads.n : 1;

	vec_clear(&ticks->at);
	s->of_readout = s->set->events.at[event]->readout.kind != READOUT_NONE;
	if (s->opts.aggr == STAT_GLOBAL)
		sum_all(s, ec, ticks);
	else if (s->opts.aggr == STAT_THREAD)
		sum_threads(s, ec, threads, ticks);
	else if (ec->at.n == ec->cpus.n * threads && ec->at.n)
		sum_cpus(s, s->set->events.at[event], ec, threads, ticks);
	else
		place_cpus(s, s->set->events.at[event], ec, ticks);
}

static void cell_add(struct stat_cell *cell, const struct tick *t)
{
	if (!t->present)
		return;
	cell->present = true;
	stat_mean_add(&cell->value, t->value);
	cell->enabled += t->enabled;
	cell->running += t->running;
	cell->cpus = t->cpus;
}

/* Cells of further places are zero. */
#define add_ticks(v, ticks)                                                                        \
	do {                                                                                       \
		if ((v)->n < (ticks)->at.n)                                                        \
			(void)vec_extend(v, (ticks)->at.n - (v)->n);                               \
		for (size_t i_ = 0; i_ < (ticks)->at.n; i_++)                                      \
			cell_add(&(v)->at[i_], &(ticks)->at.at[i_]);                               \
	} while (0)

/* disjoint: they count on other CPUs. */
static void merge_ticks(struct ticks *into, const struct ticks *from, bool disjoint)
{
	for (uint32_t i = 0; i < from->at.n; i++) {
		const struct tick *t = &from->at.at[i];
		struct tick *sum = tick_at(into, i);

		if (!t->present)
			continue;
		sum->value += t->value;
		if (!sum->present || disjoint)
			sum->cpus += t->cpus;
		sum->present = true;
		sum->failed |= t->failed;
		sum->enabled = sum->failed ? 0 : sum->enabled + t->enabled;
		sum->running = sum->failed ? 0 : sum->running + t->running;
	}
}

/* What an event's rows show besides its own counts: those of others, wherever they stand. */
static void add_merged(struct stat *s, uint32_t event, const struct counts *counts, uint32_t n)
{
	struct ticks ticks = {0}, merged = {0};

	for (uint32_t i = event; i < n; i++) {
		if (s->events.at[i].shown_by != event)
			continue;
		sum_event(s, i, counts, &ticks);
		merge_ticks(&merged, &ticks, stat_is_hybrid(s->set->events.at[i]));
	}
	add_ticks(&s->events.at[event].merged, &merged);
	vec_release(&ticks.at);
	vec_release(&merged.at);
}

void stat_add(struct stat *s, const struct counts *counts, const struct stat_times *times)
{
	struct ticks ticks = {0};
	uint32_t n = (uint32_t)MIN(s->events.n, counts->events.n);

	for (uint32_t i = 0; i < n; i++) {
		struct stat_event *ev = &s->events.at[i];

		ev->state = counts->events.at[i].state;
		sum_event(s, i, counts, &ticks);
		add_ticks(&ev->cells, &ticks);
		if (ev->shows_others)
			add_merged(s, i, counts, n);
	}
	vec_release(&ticks.at);
	stat_mean_add(&s->elapsed, times->elapsed_ns);
	stat_mean_add(&s->user, times->user_ns);
	stat_mean_add(&s->system, times->system_ns);
	vec_add(&s->each_elapsed, times->elapsed_ns);
}

const struct stat_mean *stat_elapsed(const struct stat *s)
{
	return &s->elapsed;
}

const struct stat_mean *stat_user(const struct stat *s)
{
	return &s->user;
}

const struct stat_mean *stat_system(const struct stat *s)
{
	return &s->system;
}

const double *stat_each_elapsed(const struct stat *s, size_t *n)
{
	*n = s->each_elapsed.n;
	return s->each_elapsed.at;
}
