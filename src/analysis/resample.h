/* SPDX-License-Identifier: MIT */
/*
 * How far deltas can be trusted: a bootstrap over time slices. Each recording is cut into slices of
 * time; as many whole slices are drawn, with replacement, and the delta is computed from the drawn
 * slices. Samples that stand close in time are of one phase of a program, so slices are drawn, not
 * samples (the block bootstrap: B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993,
 * chapter 8). The interval holds the middle 95 % of RESAMPLE_ROUNDS deltas. The draws are the same
 * in every run.
 */
#ifndef ANALYSIS_RESAMPLE_H
#define ANALYSIS_RESAMPLE_H

#include "base/hash.h"

#define RESAMPLE_ROUNDS 1000
#define RESAMPLE_SLICES 50 /* that a recording is cut into */

struct diff;

/* The slices of one recording. All zero is valid and empty. */
struct resampling {
	struct idmap ids;      /* a slice's start -> its index */
	VEC(uint64_t) periods; /* of all samples in a slice */
	uint16_t *drawn;       /* [round * periods.n + slice]: how many times */
	double *totals;	       /* [round]: periods of what was drawn */
};

/* Adds samples of the slice that starts at that time. Returns the slice's index. */
uint32_t resampling_add(struct resampling *r, uint64_t start, uint64_t period);
/* Fills low and high of all cells of rows that the diff compares. r: one a profile. */
void resample_deltas(struct diff *d, struct resampling *r);
void resampling_release(struct resampling *r);

#endif
