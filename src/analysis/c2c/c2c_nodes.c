// SPDX-License-Identifier: MIT
#include "analysis/c2c/c2c_nodes.h"

#include "data/feature/feature.h"
#include "data/feature/recording_topology.h"

#define CPUS_MAX  8192 /* the most that a kernel can be built for */
#define NODES_MAX 1024

uint32_t bit_set_count(const uint64_t *set, uint32_t n)
{
	uint32_t count = 0;

	for (size_t i = 0; i < bit_set_words(n); i++)
		count += (uint32_t)__builtin_popcountll(set[i]);
	return count;
}

/* One node's blocks of memory: { u64 node, u64 size, u64 bits, u64 words[] }. */
static void read_blocks(struct c2c_nodes *nodes, struct cursor *c)
{
	uint32_t node = (uint32_t)cursor_u64(c);
	uint64_t bits, at = 0;

	cursor_skip(c, 8);
	bits = cursor_u64(c);
	if (c->bad || bits / 64 > cursor_left(c) / 8)
		return;
	for (uint64_t i = 0; i < (bits + 63) / 64; i++) {
		uint64_t word = cursor_u64(c);

		for (int bit = 0; bit < 64; bit++, at++) {
			struct c2c_memory *last =
				nodes->memory.n ? &nodes->memory.at[nodes->memory.n - 1] : NULL;

			if (!(word >> bit & 1))
				continue;
			if (last && last->node == node && last->end == at)
				last->end++;
			else
				vec_add(&nodes->memory, (struct c2c_memory){at, at + 1, node});
		}
	}
}

static void read_memory(struct c2c_nodes *nodes, const struct recording *rec)
{
	struct cursor c = feature_cursor(rec, FEATURE_MEM_TOPOLOGY);
	uint64_t version = cursor_u64(&c);

	nodes->block = cursor_u64(&c);
	if (version != 1 || !nodes->block)
		return;
	for (uint64_t n = cursor_u64(&c); n && !c.bad; n--)
		read_blocks(nodes, &c);
}

static void read_cpus(struct c2c_nodes *nodes, const struct topology *t)
{
	for (size_t i = 0; i < t->cpus.n; i++) {
		const struct topology_cpu *cpu = &t->cpus.at[i];

		if (cpu->node < 0 || cpu->cpu < 0 || (uint32_t)cpu->cpu >= nodes->n_cpus)
			continue;
		nodes->node_of_cpu[cpu->cpu] = (uint32_t)cpu->node;
		nodes->n_nodes = MAX(nodes->n_nodes, (uint32_t)cpu->node + 1);
	}
}

int c2c_nodes_read(struct c2c_nodes *nodes, const struct recording *rec, struct err *err)
{
	struct topology t;

	*nodes = (struct c2c_nodes){.n_cpus = MIN(rec->nr_cpus_avail, (uint32_t)CPUS_MAX)};
	nodes->node_of_cpu = mem_zero(MAX(nodes->n_cpus, 1u) * sizeof(*nodes->node_of_cpu));
	for (uint32_t i = 0; i < nodes->n_cpus; i++)
		nodes->node_of_cpu[i] = UINT32_MAX;
	recording_topology(&t, rec);
	read_cpus(nodes, &t);
	topology_release(&t);
	if (!nodes->n_nodes || nodes->n_nodes > NODES_MAX)
		return err_set(err, ERR_INPUT, "the recording does not tell of NUMA nodes");
	read_memory(nodes, rec);
	return 0;
}

void c2c_nodes_release(struct c2c_nodes *nodes)
{
	free(nodes->node_of_cpu);
	vec_release(&nodes->memory);
}

int c2c_nodes_of_memory(const struct c2c_nodes *nodes, uint64_t physical)
{
	uint64_t block = nodes->block ? physical / nodes->block : 0;

	for (size_t i = 0; i < nodes->memory.n; i++) {
		const struct c2c_memory *m = &nodes->memory.at[i];

		if (m->first <= block && block < m->end && m->node < nodes->n_nodes)
			return (int)m->node;
	}
	return -1;
}
