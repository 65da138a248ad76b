// SPDX-License-Identifier: MIT
#include "analysis/leaks/leaks.h"

#include <stdlib.h>

/* Kinds have keys of their own: numbers of pages are small. */
static uint64_t leaks_key(uint64_t key, uint32_t kind)
{
	return kind ? key | 1ull << 62 : key;
}

void leaks_add(struct leaks *l, uint64_t key, uint32_t kind, uint32_t by, uint64_t bytes,
	       uint64_t time)
{
	uint32_t *at = idmap_put(&l->live_of, leaks_key(key, kind));

	if (*at == HASH_NONE) {
		*at = (uint32_t)l->live.n;
		vec_add(&l->live, (struct leak_live){0});
	}
	l->live.at[*at] = (struct leak_live){.bytes = bytes, .time = time, .by = by, .kind = kind};
}

uint64_t leaks_free(struct leaks *l, uint64_t key, uint32_t kind)
{
	const uint32_t at = idmap_find(&l->live_of, leaks_key(key, kind));

	if (at == HASH_NONE || l->live.at[at].freed)
		return 0;
	l->live.at[at].freed = true;
	return l->live.at[at].bytes;
}

bool leaks_has(const struct leaks *l, uint64_t key, uint32_t kind)
{
	const uint32_t at = idmap_find(&l->live_of, leaks_key(key, kind));

	return at != HASH_NONE && !l->live.at[at].freed;
}

static int leaks_compare(const void *a, const void *b)
{
	const struct leak *one = a, *two = b;

	if (one->bytes != two->bytes)
		return one->bytes < two->bytes ? 1 : -1;
	if (one->count != two->count)
		return one->count < two->count ? 1 : -1;
	return (one->by > two->by) - (one->by < two->by);
}

void leaks_sum(struct leaks *l, uint64_t first, uint64_t last)
{
	const uint64_t span = last - first + 1;

	for (size_t i = 0; i < l->live.n; i++) {
		const struct leak_live *live = &l->live.at[i];
		struct leak *to;
		uint32_t *at;

		if (live->freed)
			continue;
		at = idmap_put(&l->row_of[live->kind], live->by);
		if (*at == HASH_NONE) {
			*at = (uint32_t)l->rows.n;
			vec_add(&l->rows, (struct leak){.by = live->by,
							.kind = live->kind,
							.oldest = live->time});
		}
		to = &l->rows.at[*at];
		to->bytes += live->bytes;
		to->count++;
		to->oldest = MIN(to->oldest, live->time);
		to->grown[(uint64_t)((double)(live->time - first) / (double)span *
				     LEAK_QUARTERS)] += live->bytes;
	}
	if (l->rows.n)
		qsort(l->rows.at, l->rows.n, sizeof(*l->rows.at), leaks_compare);
}

void leaks_release(struct leaks *l)
{
	vec_release(&l->rows);
	vec_release(&l->live);
	idmap_release(&l->live_of);
	idmap_release(&l->row_of[0]);
	idmap_release(&l->row_of[1]);
}
