// SPDX-License-Identifier: MIT
#include "os/machine/topology.h"

#include "os/machine/cpus.h"
#include "os/proc/proc.h"
#include "os/files/text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No machine has more: cache/index0 and so on. */
#define CACHES_MAX 16
/* The longest of the lists: every second of 65536 CPUs. */
#define LIST_MAX (256 * 1024)

void topology_release(struct topology *t)
{
	for (size_t i = 0; i < t->cpus.n; i++)
		vec_release(&t->cpus.at[i].caches);
	vec_release(&t->cpus);
}

static size_t topology_place_of(const struct topology *t, int cpu)
{
	size_t from = 0, to = t->cpus.n;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (t->cpus.at[middle].cpu < cpu)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

const struct topology_cpu *topology_find(const struct topology *t, int cpu)
{
	size_t at = topology_place_of(t, cpu);

	return at < t->cpus.n && t->cpus.at[at].cpu == cpu ? &t->cpus.at[at] : NULL;
}

/* The entry of a CPU, or NULL: to be written. */
static struct topology_cpu *entry(struct topology *t, int cpu)
{
	size_t at = topology_place_of(t, cpu);

	return at < t->cpus.n && t->cpus.at[at].cpu == cpu ? &t->cpus.at[at] : NULL;
}

struct topology_cpu *topology_add(struct topology *t, int cpu)
{
	size_t at = topology_place_of(t, cpu);
	struct topology_cpu fresh = {
		.cpu = cpu, .core = -1, .cluster = -1, .die = -1, .socket = -1, .node = -1};

	if (at < t->cpus.n && t->cpus.at[at].cpu == cpu)
		return &t->cpus.at[at];
	vec_add(&t->cpus, fresh);
	memmove(&t->cpus.at[at + 1], &t->cpus.at[at], (t->cpus.n - 1 - at) * sizeof(fresh));
	t->cpus.at[at] = fresh;
	return &t->cpus.at[at];
}

const struct topology_cache *topology_cache_of(const struct topology_cpu *cpu, int level)
{
	const struct topology_cache *best = NULL;

	for (size_t i = 0; i < cpu->caches.n; i++) {
		const struct topology_cache *c = &cpu->caches.at[i];

		if (c->instructions_only || (level && c->level != level))
			continue;
		if (!best || c->level > best->level)
			best = c;
	}
	return best;
}

/* A number that takes the whole line; -1 when it is something else. */
static int topology_number(const char *dir, const char *name)
{
	char text[64], *end;
	long v;

	if (!proc_line(dir, 0, name, text, sizeof(text)))
		return -1;
	errno = 0;
	v = strtol(text, &end, 10);
	while (*end == ' ')
		end++;
	return end == text || *end || errno || v < 0 || v > INT_MAX ? -1 : (int)v;
}

static bool topology_list(const char *dir, const char *name, struct cpu_list *out)
{
	struct buf text = {0};
	bool good;

	vec_clear(out);
	good = !text_read(dir, name, LIST_MAX, &text) && !cpus_parse(buf_text(&text), out);
	buf_release(&text);
	if (!good)
		vec_clear(out);
	return good;
}

/* Without a list of possible CPUs: the CPUs that have a folder. */
static void cpus_of_folders(const char *dir, struct cpu_list *out)
{
	struct arena arena = {0};
	struct names names = {0};

	if (!text_names(dir, NULL, false, true, &arena, &names)) {
		for (size_t i = 0; i < names.n; i++) {
			const char *s = names.at[i];

			if (!strncmp(s, "cpu", 3) && strspn(s + 3, "0123456789") == strlen(s + 3))
				cpus_parse(s + 3, out);
		}
	}
	vec_release(&names);
	arena_release(&arena);
}

static void topology_nodes(struct topology *t, const char *sys_root)
{
	AUTO_CHAR *dir = mem_printf("%s/devices/system/node", sys_root);
	struct arena arena = {0};
	struct names names = {0};
	struct cpu_list cpus = {0};

	if (!text_names(dir, NULL, false, true, &arena, &names)) {
		for (size_t i = 0; i < names.n; i++) {
			AUTO_CHAR *at = mem_printf("%s/%s", dir, names.at[i]);
			int node;
			char more;

			if (sscanf(names.at[i], "node%6d%c", &node, &more) != 1 || node < 0 ||
			    !topology_list(at, "cpulist", &cpus))
				continue;
			for (size_t k = 0; k < cpus.n; k++) {
				struct topology_cpu *c = entry(t, cpus.at[k]);

				if (c)
					c->node = node;
			}
		}
	}
	vec_release(&cpus);
	vec_release(&names);
	arena_release(&arena);
}

void topology_read(struct topology *t, const char *sys_root)
{
	AUTO_CHAR *dir = mem_printf("%s/devices/system/cpu", sys_root);
	struct cpu_list possible = {0}, online = {0};
	bool told;

	*t = (struct topology){0};
	if (!topology_list(dir, "possible", &possible) && !topology_list(dir, "present", &possible))
		cpus_of_folders(dir, &possible);
	told = topology_list(dir, "online", &online);
	for (size_t i = 0; i < possible.n; i++)
		topology_add(t, possible.at[i]);
	/* an online CPU is possible, whatever the other files say */
	for (size_t i = 0; i < online.n; i++)
		topology_add(t, online.at[i])->online = true;
	for (size_t i = 0; i < t->cpus.n; i++) {
		struct topology_cpu *c = &t->cpus.at[i];
		AUTO_CHAR *at = mem_printf("%s/cpu%d/topology", dir, c->cpu);

		if (!told)
			c->online = true;
		c->core = topology_number(at, "core_id");
		c->cluster = topology_number(at, "cluster_id");
		c->die = topology_number(at, "die_id");
		c->socket = topology_number(at, "physical_package_id");
	}
	topology_nodes(t, sys_root);
	vec_release(&possible);
	vec_release(&online);
}

static int lowest(const struct cpu_list *l)
{
	int low = l->at[0];

	for (size_t i = 1; i < l->n; i++)
		low = MIN(low, l->at[i]);
	return low;
}

void topology_read_caches(struct topology *t, const char *sys_root)
{
	struct cpu_list shared = {0};

	for (size_t i = 0; i < t->cpus.n; i++) {
		struct topology_cpu *c = &t->cpus.at[i];

		vec_clear(&c->caches);
		for (int k = 0; k < CACHES_MAX; k++) {
			AUTO_CHAR *at = mem_printf("%s/devices/system/cpu/cpu%d/cache/index%d",
						   sys_root, c->cpu, k);
			struct topology_cache cache = {.level = topology_number(at, "level")};
			char type[32];

			if (cache.level <= 0)
				continue;
			if (!proc_line(at, 0, "type", type, sizeof(type)) ||
			    !topology_list(at, "shared_cpu_list", &shared))
				continue;
			cache.instructions_only = !strcmp(type, "Instruction");
			cache.first_cpu = lowest(&shared);
			vec_add(&c->caches, cache);
		}
	}
	vec_release(&shared);
}
