/* SPDX-License-Identifier: MIT */
/*
 * Stretches: the code between the target of one branch and the next branch, with the cycles that it
 * took, from branch stacks with cycles. Equal stretches are folded while samples are gathered;
 * tables make basic blocks of them (profile/table/blocks.h). All zero is valid and empty.
 */
#ifndef PROFILE_STRETCHES_H
#define PROFILE_STRETCHES_H

#include "base/hash.h"

struct frames;
struct sample;

struct stretch {
	uint64_t cycles, count; /* sum and number of the branches with cycles */
	uint16_t least, most;	/* cycles of one of them; 0 without any */
	/* With .passes: how often the code ran, with cycles or without, and how often the branch at
	 * its end was predicted. */
	uint64_t passes, predicted;
	/* Frame ids, once resolved: of the branch that ends it, and of its start, or HASH_NONE
	 * where that is not known. */
	uint32_t end, start;
};

/* The cycles of the first samples of a stretch, in the order of time. */
#define STRETCH_FIRST 8
struct stretch_first {
	uint32_t n;
	struct {
		uint64_t seq; /* order of sampling, over all stretches */
		uint64_t cycles;
	} at[STRETCH_FIRST];
};

struct stretches {
	bool wanted;
	bool passes;	    /* stretches without cycles are kept too */
	bool keeps_first;   /* .first is filled: samples must come in the order of time */
	struct intern keys; /* {address of its end, of its start, space, is the start known}: ids
			       are indices into .all */
	VEC(struct stretch) all;
	uint32_t n_resolved;
	uint64_t cycles; /* of all branches */
	VEC(struct stretch_first) first; /* with keeps_first: one for each stretch */
	uint64_t seq;
};

/* Adds a sample's branches. space is COL_SPACE of its cell. */
void stretches_add(struct stretches *s, const struct sample *sample, uint64_t space);
/* Adds all stretches of other, without .first. */
void stretches_merge(struct stretches *s, const struct stretches *other);
/* Looks up the frames of new stretches. */
void stretches_resolve(struct stretches *s, struct frames *frames);
void stretches_release(struct stretches *s);

#endif
