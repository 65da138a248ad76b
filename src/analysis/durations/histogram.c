// SPDX-License-Identifier: MIT
#include "analysis/durations/histogram.h"

#define SUB_BITS 5
#define SUBS	 (1u << SUB_BITS)

/* Values below 64 have a bucket each. */
static size_t bucket_of(uint64_t value)
{
	unsigned int shift;

	if (value < 2 * SUBS)
		return value;
	shift = 63u - (unsigned int)__builtin_clzll(value) - SUB_BITS;
	return shift * SUBS + (value >> shift);
}

static uint64_t bucket_start(size_t bucket)
{
	const size_t shift = bucket < 2 * SUBS ? 0 : bucket / SUBS - 1;

	return (uint64_t)(bucket - shift * SUBS) << shift;
}

void histogram_add(struct histogram *h, uint64_t value)
{
	const size_t bucket = bucket_of(value);

	if (bucket >= h->buckets.n)
		(void)vec_extend(&h->buckets, bucket + 1 - h->buckets.n);
	h->buckets.at[bucket]++;
	h->min = h->n ? MIN(h->min, value) : value;
	h->max = MAX(h->max, value);
	h->n++;
}

uint64_t histogram_at(const struct histogram *h, unsigned int permille)
{
	/* the nearest rank, rounded up */
	const uint64_t rank = h->n / 1000 * permille + (h->n % 1000 * permille + 999) / 1000;
	uint64_t seen = 0;

	if (!h->n || rank >= h->n)
		return h->max;
	for (size_t i = 0; i < h->buckets.n; i++) {
		seen += h->buckets.at[i];
		if (seen >= MAX(rank, 1)) {
			const uint64_t from = bucket_start(i), to = bucket_start(i + 1);

			return MAX(h->min, MIN(h->max, from + (to - from) / 2));
		}
	}
	return h->max;
}

uint64_t histogram_count(const struct histogram *h, uint64_t from, uint64_t to)
{
	uint64_t n = 0;

	for (size_t i = bucket_of(from); i < h->buckets.n && bucket_start(i) < to; i++)
		n += bucket_start(i) >= from ? h->buckets.at[i] : 0;
	return n;
}

void histogram_release(struct histogram *h)
{
	vec_release(&h->buckets);
	*h = (struct histogram){0};
}
