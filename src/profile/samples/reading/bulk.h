/* SPDX-License-Identifier: MIT */
/*
 * Reading in bulk: from the bytes of a mapped recording to rows, one for each different sample. A
 * row takes one cache line, and a lookup touches one row. It needs samples that all have the same
 * fields (sample_layout.h), and keys that need no more than thread, event, address and chain: most
 * reports. Other reports, and each sample that is not whole, are decoded (gather.h).
 *
 * Samples are equal when these are equal: the thread's state (only what keys need of it), the
 * event, the cpumode, the address, the words of the chain. A row is found by a 128-bit hash of all
 * that, with a seed of this process. Words are not compared, so the words of equal chains need not
 * be read from memory again. (Among 100 million different samples, two have one hash with a
 * probability of 1 in 10^22; the author of a recording cannot know the seed.) The words of a chain
 * stay in the file, in its first sample, until the chain is resolved.
 *
 * Each reading thread has its own struct bulk; they are merged at the end.
 */
#ifndef PROFILE_BULK_H
#define PROFILE_BULK_H

#include "profile/samples/samples.h"
#include "data/record/sample_layout.h"

struct bulk_row {
	struct hash128 key;
	uint64_t period, samples;
	uint64_t order, seq; /* of the sample that came first (see struct first_sample) */
	const uint8_t *chain; /* its words, as they stand in the file */
	uint32_t n_words;
	uint32_t event_mode; /* its event's index << 8 | cpumode */
};
/* The part of a row's first sample that only bulk_finish() reads: apart from the rows, to keep them
 * small. */
struct bulk_first {
	uint64_t ids, ip;
};

#define BULK_PAGE 4096
struct bulk_page {
	struct bulk_row rows[BULK_PAGE];
	struct bulk_first firsts[BULK_PAGE];
};

/* What keys need of a thread, which does not change from .from to .to. */
struct bulk_state {
	uint64_t ids; /* pid and tid as in the file */
	uint64_t from, to; /* to < from: nothing is known yet */
	uint64_t who[2];
};
#define BULK_STATES 256

/* A sample of a batch whose row is being prefetched: see struct gather_batch. */
struct bulk_coming {
	struct bulk_row row; /* of this one sample */
	struct bulk_first first;
};
#define BULK_BATCH 32

struct bulk {
	const struct samples *samples;
	struct sample_layout layout;
	uint64_t seed;
	uint32_t columns; /* of the samples' cells */
	VEC(struct bulk_page *) pages;
	uint32_t n; /* rows */
	struct id_slots slots;
	struct bulk_state states[BULK_STATES];
	struct bulk_coming coming[BULK_BATCH];
	size_t n_coming;
};

/* True, with their layout, when samples of that measurement can be read in bulk into
 * these samples. */
bool bulk_can(const struct samples *samples, const struct measurement *m,
	      struct sample_layout *layout);
void bulk_init(struct bulk *b, const struct samples *samples, const struct sample_layout *layout);
void bulk_release(struct bulk *b);
/* Adds a record of type SAMPLE, whose bytes must stay; the world must be sealed. False: it isn't
 * added, and must be decoded and gathered. */
bool bulk_add(struct bulk *b, const struct record_header *h, const uint8_t *record, uint64_t seq);
/* Adds the samples of the last batch: no more come. */
void bulk_flush(struct bulk *b);
/* Adds the other's rows. */
void bulk_add_all(struct bulk *b, const struct bulk *other);
/* As bulk_add_all(), but other can only be released afterwards. */
void bulk_merge(struct bulk *b, struct bulk *other);
/* Makes cells of the rows. to->chains must not be looked up afterwards (cells_put_chain()). */
void bulk_finish(struct bulk *b, struct cells *to);

#endif
