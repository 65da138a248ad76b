// SPDX-License-Identifier: MIT
#include "analysis/durations/histogram.h"

#include "base/log_linear.h"

#define LINEAR_RANGES 32

void histogram_add_bucket(struct histogram *h, size_t bucket, uint64_t n)
{
	if (bucket >= h->buckets.n)
		(void)vec_extend(&h->buckets, bucket + 1 - h->buckets.n);
	h->buckets.at[bucket] += n;
}

void histogram_add(struct histogram *h, uint64_t value)
{
	histogram_add_bucket(h, log_linear_bucket(value), 1);
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
			const uint64_t from = log_linear_start(i), to = log_linear_start(i + 1);

			return MAX(h->min, MIN(h->max, from + (to - from) / 2));
		}
	}
	return h->max;
}

uint64_t histogram_count(const struct histogram *h, uint64_t from, uint64_t to)
{
	uint64_t n = 0;

	for (size_t i = log_linear_bucket(from); i < h->buckets.n && log_linear_start(i) < to; i++)
		n += log_linear_start(i) >= from ? h->buckets.at[i] : 0;
	return n;
}

bool histogram_range(const struct histogram *h, enum histogram_scale scale, size_t i,
		     uint64_t *from, uint64_t *to)
{
	uint64_t width = 1;

	if (!h->n)
		return false;
	if (scale == HISTOGRAM_LINEAR) {
		/* a power of two: its ranges begin where buckets do */
		while (h->max / width >= LINEAR_RANGES)
			width *= 2;
		*from = i * width;
		*to = *from + width;
		return i <= h->max / width;
	}
	/* a first range for zeros */
	if (!h->min && !i) {
		*from = 0;
		*to = 1;
		return true;
	}
	i -= !h->min;
	while (width <= h->min / 2)
		width *= 2;
	if (i >= 64 || h->max >> i < width)
		return false;
	*from = width << i;
	*to = *from * 2;
	return true;
}

void histogram_release(struct histogram *h)
{
	vec_release(&h->buckets);
	*h = (struct histogram){0};
}
