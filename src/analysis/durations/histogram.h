/* SPDX-License-Identifier: MIT */
/*
 * A log-linear histogram: 32 buckets to each power of two, so a value is known to 3 %, whatever its
 * size. All zero is valid and empty.
 */
#ifndef ANALYSIS_DURATIONS_HISTOGRAM_H
#define ANALYSIS_DURATIONS_HISTOGRAM_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

struct histogram {
	VEC(uint64_t) buckets; /* up to the highest that has a value */
	uint64_t n, min, max;
};

void histogram_add(struct histogram *h, uint64_t value);
/* Adds n values of a bucket (base/log_linear.h); the caller keeps .n, .min and .max. */
void histogram_add_bucket(struct histogram *h, size_t bucket, uint64_t n);
/* The quantile: `permille` thousandths of all values are not above it, 500 is the median. Exact to
 * a bucket's width, and never beyond .min and .max; 0 of an empty one. */
uint64_t histogram_at(const struct histogram *h, unsigned int permille);
/* How many values lie in [from, to), by buckets that begin there. */
uint64_t histogram_count(const struct histogram *h, uint64_t from, uint64_t to);

/* Ranges to show: powers of two from the least value to the greatest, or ranges of one width from 0
 * on, of which there are at most 32. */
enum histogram_scale { HISTOGRAM_LOG, HISTOGRAM_LINEAR };
/* The i-th range, [*from, *to). False: the ranges before it hold all values. */
bool histogram_range(const struct histogram *h, enum histogram_scale scale, size_t i,
		     uint64_t *from, uint64_t *to);
void histogram_release(struct histogram *h);

#endif
