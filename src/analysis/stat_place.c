// SPDX-License-Identifier: MIT
/* Which part of the machine a CPU's counts go to. */
#include "analysis/stat_private.h"

static const struct stat_id nowhere = {-1, -1, -1, -1, -1, -1, -1, -1, -1};

bool stat_by_core(const struct stat *s, const struct event *ev)
{
	return s->opts.aggr == STAT_CPU && ev->percore && !s->opts.percore_show_thread;
}

static struct stat_id id_of_cpu(const struct stat *s, int number, enum stat_aggr aggr)
{
	const struct topology_cpu *cpu = topology_find(s->topology, number);
	const struct topology_cache *cache;
	struct stat_id id = nowhere;

	if (aggr == STAT_CPU)
		id.cpu = number;
	if (!cpu || aggr == STAT_GLOBAL || aggr == STAT_CPU)
		return id;
	if (aggr == STAT_NODE) {
		id.node = cpu->node;
		return id;
	}
	id.socket = cpu->socket;
	if (aggr == STAT_SOCKET)
		return id;
	id.die = MAX(cpu->die, 0); /* before there was a number for dies, each socket was one */
	if (aggr == STAT_CORE)
		id.core = cpu->core;
	if (aggr == STAT_CLUSTER)
		id.cluster = MAX(cpu->cluster, 0);
	if (aggr == STAT_CACHE && (cache = topology_cache_of(cpu, s->opts.cache_level))) {
		id.cache_level = cache->level;
		id.cache = cache->first_cpu;
	}
	return id;
}

static int differ(const struct stat_id *a, const struct stat_id *b)
{
	const int x[] = {a->node,  a->socket, a->die, a->cluster, a->cache_level,
			 a->cache, a->core,   a->cpu, a->thread};
	const int y[] = {b->node,  b->socket, b->die, b->cluster, b->cache_level,
			 b->cache, b->core,   b->cpu, b->thread};

	for (size_t i = 0; i < ARRAY_SIZE(x); i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

uint32_t stat_place_of_cpu(struct stat *s, int cpu, bool by_core)
{
	uint32_t *place = idmap_put(&s->place_of_cpu[by_core], (uint32_t)cpu);

	if (*place == HASH_NONE) {
		struct stat_id id = id_of_cpu(s, cpu, by_core ? STAT_CORE : s->opts.aggr);

		*place = intern_put(&s->places, &id, sizeof(id));
	}
	return *place;
}

uint32_t stat_place_of_thread(struct stat *s, uint32_t thread)
{
	struct stat_id id = nowhere;

	id.thread = (int)thread;
	return intern_put(&s->places, &id, sizeof(id));
}

void stat_add_cpus(struct stat *s, const int *cpus, size_t n)
{
	if (s->opts.aggr == STAT_GLOBAL || s->opts.aggr == STAT_THREAD)
		return;
	for (size_t i = 0; i < n; i++)
		stat_place_of_cpu(s, cpus[i], false);
}

static int stat_place_by_place(const void *a, const void *b, void *ctx)
{
	const struct stat *s = ctx;

	return differ(stat_id_of(s, *(const uint32_t *)a), stat_id_of(s, *(const uint32_t *)b));
}

void stat_order_places(struct stat *s)
{
	vec_clear(&s->order);
	if (s->opts.aggr != STAT_GLOBAL && s->opts.aggr != STAT_THREAD)
		for (size_t i = 0; i < s->cpus.n; i++)
			stat_place_of_cpu(s, s->cpus.at[i], false);
	for (uint32_t i = 0; i < s->places.entries.n; i++)
		vec_add(&s->order, i);
	if (s->order.n > 1)
		qsort_r(s->order.at, s->order.n, sizeof(*s->order.at), stat_place_by_place, s);
}
