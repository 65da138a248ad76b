/* SPDX-License-Identifier: MIT */
/*
 * A flame graph of a table: its call chains as boxes, one for each function that was called by the
 * functions above it. A box is as wide as the periods of its samples, and stands below its caller.
 */
#ifndef ANALYSIS_FLAME_H
#define ANALYSIS_FLAME_H

#include "profile/table/calltree.h"
#include "profile/table/table.h"

struct flame_box {
	uint32_t frame;	 /* id of one of the function's frames; HASH_NONE: the root */
	uint32_t parent; /* index; the root's is 0 */
	uint32_t end;	 /* index behind the last of the boxes below it */
	uint32_t depth;	 /* 0: the root */
	uint64_t start;	 /* sum of the periods to its left */
	uint64_t period, samples;
	uint64_t self; /* period of samples that have no box below */
};

struct flame {
	/* Box 0 is the root. Boxes below a box follow it, the widest first. */
	VEC(struct flame_box) boxes;
};

/* Of the samples of an event that the table shows, by its index in table->events. The table must
 * have been made with chains. Functions of less than a hundred thousandth of all periods are left
 * out; their periods are their caller's. */
void flame_make(struct flame *f, const struct table *table, size_t event);
void flame_release(struct flame *f);

#endif
