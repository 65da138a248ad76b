/* SPDX-License-Identifier: MIT */
/* From a sample to its cell: all that is done once a sample. */
#ifndef PROFILE_GATHER_H
#define PROFILE_GATHER_H

#include "profile/samples/samples.h"

/* One worker's. Several work at once for one profile when its world is sealed. */
struct gatherer {
	const struct samples *samples;
	struct cells *cells;
	struct chain_words *words;
};

/* A sample on its way to its cell. */
struct gathered {
	struct cell_sample s;
	const uint64_t *words; /* of its chain, when n_words */
	size_t n_words;
	uint64_t hash; /* of the chain, then of the columns */
};

/* Several on their way: each step is done for all of them before the next one, so that the look-ups of one don't wait
 * for the memory that those of another have asked for. */
#define GATHER_BATCH 32
struct gather_batch {
	size_t n;
	struct gathered at[GATHER_BATCH];
};

/* Takes a sample, whose bytes must stay until the flush. batch->n is 0 at the beginning. */
void gather_add(struct gatherer *g, struct gather_batch *batch, const struct record *r);
void gather_flush(struct gatherer *g, struct gather_batch *batch);
/* Takes one and is done with it. */
void gather_sample(struct gatherer *g, const struct record *r);

#endif
