/* SPDX-License-Identifier: MIT */
/*
 * The CPU topology of the recorded machine, in the form that topology_read and topology_read_caches
 * give for this machine. It comes from the header features CPU_TOPOLOGY, NUMA_TOPOLOGY and CACHE;
 * clusters are in none of them. A missing or damaged number is -1.
 */
#ifndef DATA_RECORDING_TOPOLOGY_H
#define DATA_RECORDING_TOPOLOGY_H

#include "data/recording.h"
#include "os/machine/topology.h"

/* *t is released by the caller. */
void recording_topology(struct topology *t, const struct recording *rec);

#endif
