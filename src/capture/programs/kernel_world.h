/* SPDX-License-Identifier: MIT */
/* A world of the running kernel and its modules alone: it gives names to the kernel addresses that
 * BPF programs report. */
#ifndef CAPTURE_KERNEL_WORLD_H
#define CAPTURE_KERNEL_WORLD_H

#include "data/measurement.h"
#include "world/world.h"

struct kernel_world {
	struct measurement m;
	struct world *world;
};

/* symbols must outlive it. False: the kernel hides its addresses from this user. */
bool kernel_world_open(struct kernel_world *k, const struct symbol_options *symbols);
void kernel_world_release(struct kernel_world *k);

#endif
