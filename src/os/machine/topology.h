/* SPDX-License-Identifier: MIT */
/*
 * How the CPUs of a machine are arranged: cores, clusters, dies, sockets, nodes, shared caches.
 *
 * Source: Documentation/admin-guide/cputopology.rst and
 * Documentation/ABI/testing/sysfs-devices-system-cpu (devices/system/cpu/cpuN/topology,
 * cache/indexN; devices/system/node/nodeN/cpulist). sys_root stands for "/sys". What is not told is
 * -1 (or an empty list), never an error.
 */
#ifndef OS_TOPOLOGY_H
#define OS_TOPOLOGY_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

struct topology_cache {
	int level;
	bool instructions_only; /* an instruction cache does not count for --per-cache */
	int first_cpu;		/* the lowest of the CPUs that share it: its name */
};

struct topology_cpu {
	int cpu;
	bool online;
	int core, cluster, die, socket, node; /* as the kernel numbers them */
	VEC(struct topology_cache) caches; /* after topology_read_caches */
};

struct topology {
	VEC(struct topology_cpu) cpus; /* in ascending order of numbers; all that are possible */
};

void topology_read(struct topology *t, const char *sys_root);
/* Adds the caches: three files for each of a dozen folders on each CPU, which few callers need. */
void topology_read_caches(struct topology *t, const char *sys_root);
void topology_release(struct topology *t);
/* For other sources than sysfs: the entry of a CPU, valid until the next one is added. A new entry
 * is offline and has no core, socket and so on. */
struct topology_cpu *topology_add(struct topology *t, int cpu);
const struct topology_cpu *topology_find(const struct topology *t, int cpu); /* or NULL */
/* The cache of this level that a CPU uses; level 0: its last one. NULL: none is known. */
const struct topology_cache *topology_cache_of(const struct topology_cpu *cpu, int level);

#endif
