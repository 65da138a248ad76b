/* SPDX-License-Identifier: MIT */
/* Buckets of a log-linear histogram: 32 to each power of two; values below 64 have one each. */
#ifndef BASE_LOG_LINEAR_H
#define BASE_LOG_LINEAR_H

#include <stddef.h>
#include <stdint.h>

#define LOG_LINEAR_BITS 5
#define LOG_LINEAR_SUBS (1u << LOG_LINEAR_BITS)

static inline size_t log_linear_bucket(uint64_t value)
{
	unsigned int shift;

	if (value < 2 * LOG_LINEAR_SUBS)
		return value;
	shift = 63u - (unsigned int)__builtin_clzll(value) - LOG_LINEAR_BITS;
	return shift * LOG_LINEAR_SUBS + (value >> shift);
}

/* The least value of a bucket. */
static inline uint64_t log_linear_start(size_t bucket)
{
	const size_t shift = bucket < 2 * LOG_LINEAR_SUBS ? 0 : bucket / LOG_LINEAR_SUBS - 1;

	return (uint64_t)(bucket - shift * LOG_LINEAR_SUBS) << shift;
}

#endif
