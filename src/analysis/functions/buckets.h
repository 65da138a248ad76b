/* SPDX-License-Identifier: MIT */
/*
 * How many durations lie in each of some ranges: powers of two, or ranges of one width.
 *
 *   width 0   below 1, then [1,2) [2,4) ... ; the last has all the rest
 *   else      below least, then a range of that width each up to most; the last has all from there
 */
#ifndef ANALYSIS_FUNCTIONS_BUCKETS_H
#define ANALYSIS_FUNCTIONS_BUCKETS_H

#include "base/err.h"
#include "base/mem.h"

#define BUCKETS_USUAL 22
#define BUCKETS_MOST  1000

struct duration_buckets {
	bool nsec;		     /* the limits are ns, else us */
	uint64_t width, least, most; /* 0: not said */
	VEC(uint64_t) counts;
	uint64_t total;
};

/* Completes what was not said, and makes room. 0, or -1 with *err: the limits make no ranges. */
int duration_buckets_init(struct duration_buckets *b, struct err *err);
void duration_buckets_release(struct duration_buckets *b);
void duration_buckets_add(struct duration_buckets *b, uint64_t ns);

/* Where a range begins and ends; false when it has no end: the last one. */
bool duration_bucket_range(const struct duration_buckets *b, size_t i, uint64_t *from,
			   uint64_t *to);

#endif
