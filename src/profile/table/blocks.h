/* SPDX-License-Identifier: MIT */
/*
 * Basic blocks and the cycles they took, made of the stretches between branches
 * (profile/samples/stretches.h).
 *
 * As in perf 6.1, all stretches of one function with one end are one block. The longest of them
 * gives its start.
 */
#ifndef PROFILE_BLOCKS_H
#define PROFILE_BLOCKS_H

#include "profile/table/table.h"

struct block {
	const struct symbol *sym;
	uint32_t frame; /* one of its frames */
	uint64_t start, end; /* offsets in the symbol */
	uint64_t cycles, count; /* count is not 0 */
	uint64_t longest_cycles, longest_count; /* the part of the stretches that begin at .start */
	bool started;				/* .start is known */
	uint16_t least, most;			/* cycles of one pass */
	/* The first cycles, in the order of time, of the longest stretches, where samples keep them
	 * (block_first). */
	struct stretch_first first;
};

struct blocks {
	VEC(struct block) all;
	uint64_t cycles; /* of all stretches: shares are of this */
};

/* The blocks of all samples that the table was made of. */
void blocks_init(struct blocks *b, const struct table *table);
void blocks_release(struct blocks *b);

/* The blocks of one symbol, in the order of their starts and ends. Returns their number; the caller
 * must free() *found. */
size_t blocks_of_symbol(const struct blocks *b, const struct symbol *sym,
			const struct block ***found);
/* Appends "[file.c:3 -> file.c:7]", or the offsets where lines are not known. */
void block_range(const struct block *block, const struct table *table, struct buf *out);

/* An event's blocks, those that branches of its entries lead to, the costliest first; *average is
 * the sum that average shares are of. Returns their number; the caller must free() *shown. */
size_t blocks_of_event(const struct blocks *b, const struct table *table,
		       const struct event_entries *ev, const struct block ***shown,
		       uint64_t *average);

#endif
