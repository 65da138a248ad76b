/* SPDX-License-Identifier: MIT */
/* Which dsos a recording's samples lie in. */
#ifndef WORLD_HITS_H
#define WORLD_HITS_H

#include "world/world.h"

/* Reads the recording into w, which must be new, and counts samples by dso index in *hits. With
 * chains, each caller's address counts too; where samples hold stack dumps, which are not unwound
 * here, every mapped dso counts one more. 0, or -1 with *err. */
int world_hits(struct world *w, struct recording *rec, bool chains, struct idmap *hits,
	       struct err *err);

#endif
