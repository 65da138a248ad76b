/* SPDX-License-Identifier: MIT */
/*
 * Basic blocks and the cycles they took, from branch stacks that have cycles. What runs between the
 * target of one branch and the next branch is a stretch; gathering folds equal stretches, and
 * once all are there they are resolved and become blocks.
 *
 * As in perf 6.1 a block is known by where it ends: of the stretches of one function that end at one
 * place the longest names the block, and all count.
 */
#ifndef PROFILE_BLOCKS_H
#define PROFILE_BLOCKS_H

#include "base/hash.h"
#include "base/mem.h"

#include <stdbool.h>

struct sample;
struct profile;
struct event_entries;

struct stretch_sum {
	uint64_t cycles, count;
};

struct stretches {
	bool wanted;
	struct intern places; /* {from, last to, space, is there a last} */
	VEC(struct stretch_sum) sums; /* by the id of the place */
	uint64_t cycles; /* of all branches */
};

/* Takes a sample's branches. space is COL_SPACE of its cell. */
void stretches_add(struct stretches *s, const struct sample *sample, uint64_t space);
void stretches_merge(struct stretches *s, const struct stretches *other);
void stretches_release(struct stretches *s);

struct block {
	const struct symbol *sym;
	uint32_t frame; /* one of its frames */
	uint64_t start, end; /* offsets in the symbol */
	uint64_t cycles, count; /* count is not 0 */
};

struct blocks {
	VEC(struct block) all;
	uint64_t cycles; /* that shares are of */
};

/* The blocks of all samples. */
void blocks_init(struct blocks *b, struct profile *p);
void blocks_release(struct blocks *b);

/* An event's blocks, those that branches of its entries lead to, the costliest first; *average is the
 * sum that average shares are of. Their count; *shown is the caller's, free(). */
size_t blocks_of_event(const struct blocks *b, const struct profile *p,
		       const struct event_entries *ev, const struct block ***shown,
		       uint64_t *average);

#endif
