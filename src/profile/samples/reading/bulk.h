/* SPDX-License-Identifier: MIT */
/*
 * Samples in bulk: from the bytes of a mapped recording to rows, one for each different sample, of a size that one
 * look-up costs one line of memory. For recordings whose samples all have the same fields (profile/samples/reading/sample_layout.h)
 * and keys that ask for nothing but who ran where, and by which chain: what most reports are. All else, and every
 * sample that is not whole, goes the general way (gather.h).
 *
 * Samples are equal when the thread's state (what of it the keys ask for), the event, the mode, the address and the
 * words of the chain are. They are known by a hash of 128 bits of all that, with a seed of this process: words are
 * not compared, so that those met before need not be kept, nor be read from memory once a sample. (Of 100 million
 * different samples two are taken for one with a probability of 1 in 10^22; who makes a recording doesn't know the
 * seed.) The words of a chain stay in the file, in its first sample, until it is resolved.
 *
 * One struct bulk belongs to one worker; several are merged at the end.
 */
#ifndef PROFILE_BULK_H
#define PROFILE_BULK_H

#include "profile/samples/samples.h"
#include "profile/samples/reading/sample_layout.h"

struct bulk_row {
	struct hash128 key;
	uint64_t period, samples;
	uint64_t order, seq; /* of the sample that came first (see struct first_sample) */
	const uint8_t *chain; /* its words, as they stand in the file */
	uint32_t n_words;
	uint32_t event_mode; /* its event's index << 8 | cpumode */
};
/* What is asked in the end only: of the first sample, too. */
struct bulk_first {
	uint64_t ids, ip;
};

#define BULK_BLOCK 4096
struct bulk_block {
	struct bulk_row rows[BULK_BLOCK];
	struct bulk_first firsts[BULK_BLOCK];
};

/* What the keys ask of a thread does not change from .from to .to. */
struct bulk_state {
	uint64_t ids; /* pid and tid as in the file */
	uint64_t from, to; /* to < from: nothing is known yet */
	uint64_t who[2];
};
#define BULK_STATES 256

/* A sample on its way to its row: see struct gather_batch. */
struct bulk_coming {
	struct bulk_row row; /* of this one sample */
	struct bulk_first first;
};
#define BULK_BATCH 32

struct bulk {
	const struct samples *samples;
	struct sample_layout layout;
	uint64_t seed;
	uint32_t columns; /* of the profile's cells */
	VEC(struct bulk_block *) blocks;
	uint32_t n; /* rows */
	struct id_slots slots;
	struct bulk_state states[BULK_STATES];
	struct bulk_coming coming[BULK_BATCH];
	size_t n_coming;
};

/* The layout, if samples of that recording can be taken for that profile. */
bool bulk_can(const struct samples *samples, const struct measurement *m, struct sample_layout *layout);
void bulk_init(struct bulk *b, const struct samples *samples, const struct sample_layout *layout);
void bulk_release(struct bulk *b);
/* Takes a record of type SAMPLE, whose bytes must stay; the world is sealed. False: it isn't taken, and must go the
 * general way. */
bool bulk_add(struct bulk *b, const struct record_header *h, const uint8_t *record, uint64_t seq);
/* No more samples. */
void bulk_flush(struct bulk *b);
/* Adds the other's rows; other can only be released then. */
void bulk_merge(struct bulk *b, struct bulk *other);
/* Makes cells of the rows. Nothing may be looked for in the cells' chains any more. */
void bulk_finish(struct bulk *b, struct cells *to);

#endif
