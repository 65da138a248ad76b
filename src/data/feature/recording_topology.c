// SPDX-License-Identifier: MIT
#include "data/feature/recording_topology.h"

#include "data/feature/feature.h"
#include "os/machine/cpus.h"

#include <limits.h>
#include <string.h>

/* The most CPUs in all lists together: enough for a machine of 65536 CPUs. A damaged file with more
 * would take minutes. */
#define LISTED_MAX (1u << 21)

struct reader {
	struct topology *t;
	struct cpu_list list;
	uint32_t listed;
};

/* Parses a list of CPUs into r->list; empty when the text is no list. */
static void read_list(struct reader *r, const char *text)
{
	vec_clear(&r->list);
	if (!text || r->listed > LISTED_MAX)
		return;
	if (cpus_parse(text, &r->list))
		vec_clear(&r->list);
	r->listed += (uint32_t)r->list.n + 1;
}

/* The entry of a CPU. Adds it, and those of all lower numbers, when it is new. */
static struct topology_cpu *cpu_at(struct reader *r, int cpu)
{
	while (r->t->cpus.n <= (size_t)cpu)
		topology_add(r->t, (int)r->t->cpus.n);
	return &r->t->cpus.at[cpu];
}

/* Marks the CPUs of these lists as online; together they have exactly those. */
static void online(struct reader *r, struct cursor *c)
{
	for (uint32_t n = cursor_u32(c); n && !c->bad; n--) {
		read_list(r, feature_string(c));
		for (size_t i = 0; i < r->list.n; i++)
			cpu_at(r, r->list.at[i])->online = true;
	}
}

static int recording_topology_number(struct cursor *c)
{
	uint32_t v = cursor_u32(c);

	return c->bad || v > INT_MAX ? -1 : (int)v;
}

/*
 * Lists of the CPUs of each socket, and of each core; for each CPU its core and socket; since
 * perf 5.4 the lists of each die, and for each CPU its die.
 */
static void cpu_topology(struct reader *r, struct cursor c, uint32_t cpus)
{
	uint32_t n;

	online(r, &c);
	online(r, &c);
	if (c.bad || cpus > cursor_left(&c) / 8)
		return;
	for (uint32_t i = 0; i < cpus; i++) {
		struct topology_cpu *cpu = cpu_at(r, (int)i);

		cpu->core = recording_topology_number(&c);
		cpu->socket = recording_topology_number(&c);
	}
	n = cursor_u32(&c);
	for (; n && !c.bad; n--)
		feature_string(&c);
	if (c.bad || cpus > cursor_left(&c) / 4)
		return;
	for (uint32_t i = 0; i < cpus; i++)
		cpu_at(r, (int)i)->die = recording_topology_number(&c);
}

static void recording_topology_nodes(struct reader *r, struct cursor c)
{
	for (uint32_t n = cursor_u32(&c); n && !c.bad; n--) {
		int node = recording_topology_number(&c);

		cursor_skip(&c, 16);
		read_list(r, feature_string(&c));
		for (size_t i = 0; i < r->list.n; i++)
			cpu_at(r, r->list.at[i])->node = node;
	}
}

static void caches(struct reader *r, struct cursor c)
{
	if (cursor_u32(&c) != 1) /* version */
		return;
	for (uint32_t n = cursor_u32(&c); n && !c.bad; n--) {
		struct topology_cache cache = {.level = recording_topology_number(&c),
					       .first_cpu = INT_MAX};
		const char *type;

		cursor_skip(&c, 12);
		type = feature_string(&c);
		feature_string(&c);
		read_list(r, feature_string(&c));
		if (c.bad || cache.level <= 0)
			continue;
		cache.instructions_only = !strcmp(type, "Instruction");
		for (size_t i = 0; i < r->list.n; i++)
			cache.first_cpu = MIN(cache.first_cpu, r->list.at[i]);
		for (size_t i = 0; i < r->list.n; i++) {
			struct topology_cpu *cpu = cpu_at(r, r->list.at[i]);

			/* more than a CPU has: a damaged list may repeat one cache without end */
			if (cpu->caches.n < 16)
				vec_add(&cpu->caches, cache);
		}
	}
}

void recording_topology(struct topology *t, const struct recording *rec)
{
	struct reader r = {.t = t};

	*t = (struct topology){0};
	cpu_topology(&r, feature_cursor(rec, FEATURE_CPU_TOPOLOGY), rec->nr_cpus_avail);
	recording_topology_nodes(&r, feature_cursor(rec, FEATURE_NUMA_TOPOLOGY));
	caches(&r, feature_cursor(rec, FEATURE_CACHE));
	vec_release(&r.list);
}
