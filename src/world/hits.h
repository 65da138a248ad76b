/* SPDX-License-Identifier: MIT */
/* Which files a recording's samples lie in. */
#ifndef WORLD_HITS_H
#define WORLD_HITS_H

#include "world/world.h"

/* Reads the recording through a new world and marks the index of each dso that a sample lies in;
 * with chains also those of its callers, and where stacks are still to be unwound all that are
 * mapped. 0, or -1 with *err. */
int world_hits(struct world *w, struct recording *rec, bool chains, struct idmap *hits,
	       struct err *err);

#endif
