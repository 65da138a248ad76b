// SPDX-License-Identifier: MIT
#include "data/stat_rounds.h"

#include "base/cursor.h"
#include "data/feature/cpu_map.h"

#include <stdio.h>
#include <string.h>

/* The number of cells that is allowed however small the file is. */
#define CELLS_MIN (1u << 20)
/* Bytes of a cell's record in the file; it takes about as much memory in this and the last
 * interval. Bounds the cells by the file's size. */
#define RECORD_SIZE 48
/* Levels of caches; one more means the last level, whichever that is. */
#define CACHE_LEVELS 4

void stat_rounds_init(struct stat_rounds *s, struct recording *rec)
{
	*s = (struct stat_rounds){.rec = rec, .config = {.aggr = STAT_AGGR_GLOBAL, .scale = true}};
}

void stat_rounds_release(struct stat_rounds *s)
{
	counts_release(&s->counts);
	vec_release(&s->cpus);
	*s = (struct stat_rounds){0};
}

/*
 * perf 6.5 inserted caches before cores, and 6.9 clusters before caches; both also record a level
 * of caches. A pipe has no version: it is taken as a new one.
 */
static uint64_t newer_aggr(uint64_t aggr, const char *version)
{
	static const uint64_t with_clusters[] = {
		STAT_AGGR_NONE,	   STAT_AGGR_GLOBAL, STAT_AGGR_SOCKET, STAT_AGGR_DIE,
		STAT_AGGR_CLUSTER, STAT_AGGR_CACHE,  STAT_AGGR_CORE,   STAT_AGGR_THREAD,
		STAT_AGGR_UNSET,   STAT_AGGR_NODE};
	unsigned int major, minor;
	bool without = version && sscanf(version, "%u.%u", &major, &minor) == 2 && major == 6 &&
		       minor < 9;

	if (without && aggr > STAT_AGGR_DIE)
		aggr++;
	return aggr < ARRAY_SIZE(with_clusters) ? with_clusters[aggr] : STAT_AGGR_UNSET;
}

static void take_config(struct stat_rounds *s, const struct rec_stat_config *c)
{
	bool newer = false;

	s->config.known = true;
	for (uint64_t i = 0; i < c->nr; i++) {
		uint64_t tag = c->pairs[2 * i], value = c->pairs[2 * i + 1];

		newer |= tag == STAT_CONFIG_LEVEL;
		if (tag == STAT_CONFIG_AGGR)
			s->config.aggr = value;
		else if (tag == STAT_CONFIG_INTERVAL)
			s->config.interval_ms = value;
		else if (tag == STAT_CONFIG_SCALE)
			s->config.scale = value;
		else if (tag == STAT_CONFIG_LEVEL)
			s->config.cache_level = value > CACHE_LEVELS ? 0 : value;
		else if (!s->config.unknown_tag)
			s->config.unknown_tag = tag;
	}
	if (newer)
		s->config.aggr = newer_aggr(s->config.aggr, s->rec->version);
}

static bool take_threads(struct stat_rounds *s, const struct rec_thread_map *map)
{
	struct cursor c = cursor_over(map->bytes, map->size, s->rec->m.swap);

	/* only the first THREAD_MAP counts: cells are in its order */
	if (s->threads_known)
		return true;
	if (!map->nr || map->nr > map->size / 24)
		return false;
	s->threads_known = true;
	for (uint64_t i = 0; i < map->nr; i++) {
		struct count_thread thread = {.tid = (int)cursor_u64(&c)};
		const char *comm = cursor_bytes(&c, sizeof(thread.comm));

		memcpy(thread.comm, comm, sizeof(thread.comm) - 1);
		vec_add(&s->counts.threads, thread);
	}
	return true;
}

static bool take_cpus(struct stat_rounds *s, const struct record *r)
{
	struct cpu_list all = {0};
	bool good;

	if (s->cpus.n)
		return true;
	good = !cpu_map_decode(cursor_over(r->blob.bytes, r->blob.size, s->rec->m.swap), &all);
	/* ignore "bound to none" beside other CPUs */
	for (size_t i = 0; good && i < all.n; i++)
		if (all.at[i] >= 0 || all.n == 1)
			vec_add(&s->cpus, all.at[i]);
	vec_release(&all);
	return good && s->cpus.n;
}

/* Gives each new event its rows. Its cells are made with the first value. */
static int shape(struct stat_rounds *s, struct err *err)
{
	const struct event_set *set = &s->rec->m.events;
	uint64_t most = MAX(CELLS_MIN, s->rec->file_size / RECORD_SIZE);

	if (!s->threads_known) {
		s->threads_known = true;
		vec_add(&s->counts.threads, (struct count_thread){.tid = -1});
	}
	if (!s->cpus.n)
		vec_add(&s->cpus, -1);
	while (s->counts.events.n < set->events.n) {
		uint32_t i = (uint32_t)s->counts.events.n;
		struct cpu_list own = {0};
		const char *text = set->events.at[i]->cpus;
		/* for tasks the event's own CPUs do not matter */
		bool has_own = text && s->cpus.at[0] >= 0 && !cpus_parse(text, &own);

		s->cells += (has_own ? own.n : s->cpus.n) * s->counts.threads.n;
		if (s->cells <= most)
			counts_shape(&s->counts, i, has_own ? own.at : s->cpus.at,
				     has_own ? own.n : s->cpus.n);
		vec_release(&own);
		if (s->cells > most)
			return err_set(err, ERR_INPUT,
				       "'%s' claims more counters than it has room for",
				       s->rec->path ? s->rec->path : "-");
		vec_release(&s->counts.events.at[i].at);
		s->counts.events.at[i].state = COUNT_NOT_SUPPORTED;
	}
	return 0;
}

/* The row of a CPU. perf's tool events name a CPU even when tasks are counted. */
static int stat_rounds_row_of(const struct event_counts *e, int cpu)
{
	return e->cpus.n == 1 && e->cpus.at[0] < 0 ? -1 : cpu;
}

static bool stat_rounds_take_value(struct stat_rounds *s, const struct rec_stat *stat)
{
	const struct event *ev = event_set_find_id(&s->rec->m.events, stat->id);
	struct event_counts *e;
	struct count *cell;

	if (!ev || ev->index >= s->counts.events.n)
		return false;
	e = &s->counts.events.at[ev->index];
	if (e->state != COUNT_OPEN) {
		size_t n = e->cpus.n * s->counts.threads.n;

		e->state = COUNT_OPEN;
		if (n)
			(void)vec_extend(&e->at, n);
	}
	cell = counts_at(&s->counts, ev->index, stat_rounds_row_of(e, (int)stat->cpu),
			 stat->thread);
	if (!cell)
		return false;
	*cell = (struct count){stat->value, stat->enabled, stat->running};
	return true;
}

int stat_rounds_take(struct stat_rounds *s, const struct record *r, struct stat_round *round,
		     struct err *err)
{
	bool good = true;

	switch (r->header.type) {
	case RECORD_STAT_CONFIG:
		take_config(s, &r->stat_config);
		break;
	case RECORD_THREAD_MAP:
		good = take_threads(s, &r->thread_map);
		break;
	case RECORD_CPU_MAP:
		good = take_cpus(s, r);
		break;
	case RECORD_STAT:
	case RECORD_STAT_ROUND:
		if (s->counts.events.n < s->rec->m.events.events.n && shape(s, err))
			return -1;
		if (r->header.type == RECORD_STAT) {
			good = stat_rounds_take_value(s, &r->stat);
			break;
		}
		*round = (struct stat_round){.final = r->stat_round.type != 0,
					     .time_ns = r->stat_round.time,
					     .counts = &s->counts};
		return 1;
	default:
		break;
	}
	if (!good)
		losses_add(&s->rec->m.losses, LOSS_CORRUPT, 1, r->offset);
	return 0;
}
