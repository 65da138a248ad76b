/* SPDX-License-Identifier: MIT */
/* Gathering: adds a decoded sample to its cell. The general way, for every kind of sample. */
#ifndef PROFILE_GATHER_H
#define PROFILE_GATHER_H

#include "profile/samples/samples.h"

/* The cells and chains of one reading thread. Several threads may gather at once when the world is
 * sealed. */
struct gatherer {
	const struct samples *samples;
	struct cells *cells;
	struct chain_words *words;
};

/* A sample of a batch. */
struct gathered {
	struct cell_sample s;
	const uint64_t *words; /* of its chain, when n_words */
	size_t n_words;
	uint64_t hash; /* of the chain, then of the columns */
};

/* A batch of samples. Each step (hash, prefetch the slot, prefetch the cell, add) is done for the
 * whole batch before the next step, so that the cache misses of its lookups overlap. */
#define GATHER_BATCH 32
struct gather_batch {
	size_t n;
	struct gathered at[GATHER_BATCH];
};

/* Adds a sample to the batch; its bytes must stay until the flush. batch->n is 0 at
 * the beginning. */
void gather_add(struct gatherer *g, struct gather_batch *batch, const struct record *r);
void gather_flush(struct gatherer *g, struct gather_batch *batch);
/* Adds a sample to its cell at once. False: it is not wanted, or its branches were added. */
bool gather_sample(struct gatherer *g, const struct record *r);

#endif
