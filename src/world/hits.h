/* SPDX-License-Identifier: MIT */
/* Which files a recording's samples lie in. */
#ifndef WORLD_HITS_H
#define WORLD_HITS_H

#include "world/world.h"

/* Reads the recording through a new world and counts by the index of each dso how many samples lie
 * in it; with chains also their callers, and where stacks are still to be unwound every one that is
 * mapped, once. 0, or -1 with *err. */
int world_hits(struct world *w, struct recording *rec, bool chains, struct idmap *hits,
	       struct err *err);

#endif
