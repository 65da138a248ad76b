// SPDX-License-Identifier: MIT
#include "capture/record/stat_recorder.h"

#include "data/feature/cpu_map.h"
#include "data/record/event_update.h"

#include <stdlib.h>
#include <string.h>

struct stat_recorder {
	const struct stat_recorder_options *opts;
	struct sink *sink;
	struct event_set *events;
	bool begun, ended;
	struct buf pending; /* records not yet written */
};

struct stat_recorder *stat_recorder_new(const struct stat_recorder_options *opts, struct err *err)
{
	struct sink_options so = {.path = opts->path};
	struct sink *sink = sink_open(&so, err);
	struct stat_recorder *r;

	if (!sink)
		return NULL;
	r = NEW(struct stat_recorder);
	r->opts = opts;
	r->sink = sink;
	return r;
}

void stat_recorder_free(struct stat_recorder *r)
{
	if (!r)
		return;
	sink_free(r->sink);
	buf_release(&r->pending);
	free(r);
}

static void stat_recorder_put(struct stat_recorder *r, const struct record *record)
{
	record_encode(record, 0, false, &r->pending);
}

static int stat_recorder_send(struct stat_recorder *r, struct err *err)
{
	int got = r->pending.n ? sink_put(r->sink, r->pending.at, r->pending.n, NULL, 0, err) : 0;

	buf_clear(&r->pending);
	return got ? -1 : 0;
}

/* Values are found by an id: gives each event without a counter in the kernel an unused id. */
static void give_ids(struct event_set *set)
{
	uint64_t last = 0;

	for (size_t i = 0; i < set->events.n; i++)
		for (size_t k = 0; k < set->events.at[i]->ids.n; k++)
			last = MAX(last, set->events.at[i]->ids.at[k]);
	for (size_t i = 0; i < set->events.n; i++)
		if (!set->events.at[i]->ids.n)
			event_set_add_id(set, set->events.at[i], ++last);
}

/*
 * Writes the events with the attributes that readers of such files expect. The counters are still
 * read with their own attributes, so these are restored.
 */
static int put_events(struct stat_recorder *r, const struct feature_facts *facts, struct err *err)
{
	const struct event_set *set = r->events;
	struct attr *own = mem_alloc((set->events.n + 1) * sizeof(*own));
	int got;

	for (size_t i = 0; i < set->events.n; i++) {
		struct attr *a = &set->events.at[i]->attr;

		own[i] = *a;
		a->sample_type = SAMPLE_IDENTIFIER;
		a->read_format = READ_TOTAL_TIME_ENABLED | READ_TOTAL_TIME_RUNNING;
	}
	got = sink_begin(r->sink, set, err) || features_put(r->sink, facts, err) ? -1 : 0;
	for (size_t i = 0; i < set->events.n; i++)
		set->events.at[i]->attr = own[i];
	free(own);
	return got;
}

static int ascending(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* The CPUs of all events without CPUs of their own; one -1 when these are bound to none. */
static void collect_cpus(const struct stat_recorder *r, const struct counts *shape,
			 struct cpu_list *out)
{
	struct cpu_list all = {0};
	bool bound = false;

	for (size_t i = 0; i < shape->events.n; i++) {
		const struct event_counts *e = &shape->events.at[i];

		if (r->events->events.at[i]->cpus)
			continue;
		for (size_t k = 0; k < e->cpus.n; k++) {
			vec_add(&all, e->cpus.at[k]);
			bound |= e->cpus.at[k] >= 0;
		}
	}
	if (all.n)
		qsort(all.at, all.n, sizeof(*all.at), ascending);
	for (size_t i = 0; i < all.n; i++)
		if (all.at[i] >= 0 && (!out->n || *vec_last(out) != all.at[i]))
			vec_add(out, all.at[i]);
	if (!bound)
		vec_add(out, -1);
	vec_release(&all);
}

static void stat_recorder_put_thread(const struct count_thread *t, struct buf *b)
{
	uint64_t tid = (uint64_t)(int64_t)t->tid;

	buf_add(b, &tid, sizeof(tid));
	buf_add(b, t->comm, sizeof(t->comm));
}

/* Writes the CPUs of events that were counted on fewer CPUs than others, though they ask for no
 * CPUs of their own. */
static void put_own_cpus(struct stat_recorder *r, const struct counts *shape,
			 const struct cpu_list *all)
{
	for (size_t i = 0; i < shape->events.n; i++) {
		const struct event_counts *e = &shape->events.at[i];
		const struct event *ev = r->events->events.at[i];

		if (!ev->cpus && e->cpus.n && e->cpus.at[0] >= 0 && e->cpus.n < all->n)
			event_update_encode_cpus(ev, e->cpus.at, e->cpus.n, &r->pending);
	}
}

static void put_maps(struct stat_recorder *r, const struct counts *shape)
{
	static const struct count_thread nobody = {.tid = -1};
	struct cpu_list cpus = {0};
	AUTO_BUF b = {0};

	collect_cpus(r, shape, &cpus);
	put_own_cpus(r, shape, &cpus);

	for (size_t i = 0; i < shape->threads.n; i++)
		stat_recorder_put_thread(&shape->threads.at[i], &b);
	if (!b.n)
		stat_recorder_put_thread(&nobody, &b);
	stat_recorder_put(r, &(struct record){.header.type = RECORD_THREAD_MAP,
					      .thread_map = {MAX(shape->threads.n, 1u),
							     (const uint8_t *)b.at, b.n}});
	buf_clear(&b);
	cpu_map_encode(cpus.at, cpus.n, &b);
	stat_recorder_put(r, &(struct record){.header.type = RECORD_CPU_MAP,
					      .blob = {(const uint8_t *)b.at, b.n, 0}});
	vec_release(&cpus);
}

static void put_config(struct stat_recorder *r)
{
	const uint64_t pairs[] = {STAT_CONFIG_AGGR,	r->opts->aggr,
				  STAT_CONFIG_INTERVAL, r->opts->interval_ms,
				  STAT_CONFIG_SCALE,	r->opts->scale};

	stat_recorder_put(r, &(struct record){.header.type = RECORD_STAT_CONFIG,
					      .stat_config = {ARRAY_SIZE(pairs) / 2, pairs}});
}

int stat_recorder_begin(struct stat_recorder *r, struct event_set *events,
			const struct counts *shape, struct err *err)
{
	struct feature_facts facts = r->opts->facts;
	bool pipe = !strcmp(r->opts->path, "-");

	facts.events = r->events = events;
	facts.counts = true;
	/* perf does not read a file with tracepoints without their formats; in a pipe it would take
	 * the formats for records */
	facts.no_formats = pipe;
	give_ids(events);
	r->begun = true;
	if (put_events(r, &facts, err))
		return -1;
	/* in a pipe the updates came with the names */
	if (!pipe)
		for (size_t i = 0; i < events->events.n; i++)
			event_updates_encode(events->events.at[i], false, &r->pending);
	put_maps(r, shape);
	put_config(r);
	return stat_recorder_send(r, err);
}

/* The values of an event on one CPU. */
static void put_values(struct stat_recorder *r, const struct event *ev, const struct counts *counts,
		       size_t row)
{
	const struct event_counts *e = &counts->events.at[ev->index];
	size_t threads = counts->threads.n;

	for (size_t t = 0; t < threads; t++) {
		size_t cell = row * threads + t;
		const struct count *c = &e->at.at[cell];

		stat_recorder_put(
			r, &(struct record){.header.type = RECORD_STAT,
					    .stat = {ev->ids.at[ev->ids.n == e->at.n ? cell : 0],
						     (uint32_t)e->cpus.at[row], (uint32_t)t,
						     c->value, c->enabled, c->running}});
	}
}

/* CPU by CPU, as perf reads and writes them. */
static void put_all_values(struct stat_recorder *r, const struct counts *counts)
{
	size_t n = MIN(counts->events.n, r->events->events.n);
	size_t *next = mem_zero((n + 1) * sizeof(*next)); /* each event's next row */

	for (;;) {
		const struct event_counts *e = counts->events.at;
		bool any = false;
		int cpu = 0;

		for (size_t i = 0; i < n; i++) {
			if (e[i].state != COUNT_OPEN || next[i] >= e[i].cpus.n || !e[i].at.n)
				continue;
			if (!any || e[i].cpus.at[next[i]] < cpu)
				cpu = e[i].cpus.at[next[i]];
			any = true;
		}
		if (!any)
			break;
		for (size_t i = 0; i < n; i++)
			if (e[i].state == COUNT_OPEN && e[i].at.n && next[i] < e[i].cpus.n &&
			    e[i].cpus.at[next[i]] == cpu)
				put_values(r, r->events->events.at[i], counts, next[i]++);
	}
	free(next);
}

int stat_recorder_round(struct stat_recorder *r, const struct counts *counts, uint64_t time_ns,
			bool final, struct err *err)
{
	put_all_values(r, counts);
	stat_recorder_put(r, &(struct record){.header.type = RECORD_STAT_ROUND,
					      .stat_round = {final, time_ns}});
	if (stat_recorder_send(r, err))
		return -1;
	return final ? 0 : sink_sync(r->sink, err);
}

int stat_recorder_end(struct stat_recorder *r, struct err *err)
{
	if (r->ended || !r->begun)
		return 0;
	r->ended = true;
	return sink_end(r->sink, err);
}
