/* SPDX-License-Identifier: MIT */
/*
 * How the CPUs of the machine were arranged on which a recording was made: the same as
 * topology_read and topology_read_caches tell of this one. From the header features CPU_TOPOLOGY,
 * NUMA_TOPOLOGY and CACHE; clusters are in none. What a feature lacks, or what is damaged, is -1.
 */
#ifndef DATA_RECORDING_TOPOLOGY_H
#define DATA_RECORDING_TOPOLOGY_H

#include "data/recording.h"
#include "os/machine/topology.h"

/* *t is released by the caller. */
void recording_topology(struct topology *t, const struct recording *rec);

#endif
