// SPDX-License-Identifier: MIT
#include "analysis/functions/buckets.h"

#define LIMIT_MOST 1000000000000ull

int duration_buckets_init(struct duration_buckets *b, struct err *err)
{
	uint64_t n = BUCKETS_USUAL;

	if (!b->width && (b->least || b->most))
		return err_set(err, ERR_USAGE, "--%s-latency needs --bucket-range",
			       b->least ? "min" : "max");
	if (MAX(b->width, MAX(b->least, b->most)) > LIMIT_MOST)
		return err_set(err, ERR_USAGE, "a duration is at most %llu",
			       (unsigned long long)LIMIT_MOST);
	if (b->width && !b->least)
		b->least = b->width;
	if (b->width && !b->most)
		b->most = b->least + (BUCKETS_USUAL - 2) * b->width;
	if (b->width && b->most < b->least + b->width)
		return err_set(err, ERR_USAGE,
			       "--max-latency must be at least --min-latency and --bucket-range "
			       "together");
	if (b->width)
		n = (b->most - b->least + b->width - 1) / b->width + 2;
	if (n > BUCKETS_MOST)
		return err_set(err, ERR_USAGE,
			       "%llu rows are too many: --bucket-range may be larger",
			       (unsigned long long)n);
	(void)vec_extend(&b->counts, n);
	return 0;
}

void duration_buckets_release(struct duration_buckets *b)
{
	vec_release(&b->counts);
}

void duration_buckets_add(struct duration_buckets *b, uint64_t ns)
{
	uint64_t v = b->nsec ? ns : ns / 1000;
	size_t i = 0;

	if (!b->width)
		for (; v; v >>= 1)
			i++;
	else if (v >= b->most)
		i = b->counts.n - 1;
	else if (v >= b->least)
		i = (v - b->least) / b->width + 1;
	b->counts.at[MIN(i, b->counts.n - 1)]++;
	b->total++;
}

bool duration_bucket_range(const struct duration_buckets *b, size_t i, uint64_t *from, uint64_t *to)
{
	const bool last = i == b->counts.n - 1;

	if (!b->width) {
		*from = i ? 1ull << (i - 1) : 0;
		*to = 1ull << i;
	} else {
		*from = !i ? 0 : last ? b->most : b->least + (i - 1) * b->width;
		*to = MIN(b->least + i * b->width, b->most);
	}
	return !last;
}
