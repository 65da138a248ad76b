/* SPDX-License-Identifier: MIT */
/* The NUMA nodes of the machine that was recorded: which CPUs and which physical memory each has.
 */
#ifndef ANALYSIS_C2C_NODES_H
#define ANALYSIS_C2C_NODES_H

#include "base/err.h"
#include "data/recording.h"

struct c2c_nodes {
	uint32_t n_nodes, n_cpus;
	uint32_t *node_of_cpu; /* UINT32_MAX: of none */
	uint64_t block;	       /* bytes of a block of memory */
	VEC(struct c2c_memory {
		uint64_t first, end;
		uint32_t node;
	})
	memory; /* blocks */
};

/* From the features NRCPUS, NUMA_TOPOLOGY and MEM_TOPOLOGY. 0, or -1 with *err when the recording
 * does not tell of nodes. */
int c2c_nodes_read(struct c2c_nodes *nodes, const struct recording *rec, struct err *err);
void c2c_nodes_release(struct c2c_nodes *nodes);
/* The node of a physical address; -1: not known. */
int c2c_nodes_of_memory(const struct c2c_nodes *nodes, uint64_t physical);

/* Sets of CPUs or nodes: words of 64 bits. */
static inline size_t bit_set_words(uint32_t n)
{
	return (n + 63) / 64;
}
static inline bool bit_set_has(const uint64_t *set, uint32_t i)
{
	return set[i / 64] >> i % 64 & 1;
}
static inline void bit_set_add(uint64_t *set, uint32_t i)
{
	set[i / 64] |= 1ull << i % 64;
}
uint32_t bit_set_count(const uint64_t *set, uint32_t n);

#endif
