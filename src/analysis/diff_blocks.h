/* SPDX-License-Identifier: MIT */
/*
 * Compares basic blocks (perf diff -c cycles): finds the blocks of a row's function that two tables
 * share, and by how many cycles they differ. A block is identified by its function's name and its
 * offsets in it.
 */
#ifndef ANALYSIS_DIFF_BLOCKS_H
#define ANALYSIS_DIFF_BLOCKS_H

#include "profile/table/blocks.h"

struct diff;

/* A block of one table in a row. */
struct diff_block {
	const struct block *block;
	int64_t cycles; /* how many cycles longer than the baseline's block, on average; 0: the
			 * baseline lacks it */
	/* By how many cycles the first samples of both differ, in the order of time. */
	uint32_t n_differences;
	uint64_t differences[STRETCH_FIRST];
};

/* Fills .blocks of all rows' cells: the baseline's (where it lacks the row, those of the first
 * table that has it) in the order of their offsets, the others' by the amount of .cycles. */
void diff_blocks_compare(struct diff *d);
void diff_blocks_release(struct diff *d);
/* The spread of a block's differences, the standard error of their mean in percent of the mean. */
double diff_block_spread(const struct diff_block *b);

#endif
