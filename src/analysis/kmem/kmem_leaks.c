// SPDX-License-Identifier: MIT
/* What was allocated in the recording and not freed in it. */
#include "analysis/kmem/kmem_parts.h"

#include <stdlib.h>

/* Pages and objects have keys of their own: frame numbers are small. */
static uint64_t live_key(uint64_t key, bool pages)
{
	return pages ? key | 1ull << 62 : key;
}

static uint32_t chain_of(struct kmem *k, const struct record *r, uint64_t caller)
{
	if (r->sample.callchain_nr)
		return intern_put(&k->chains, r->sample.callchain,
				  r->sample.callchain_nr * sizeof(*r->sample.callchain));
	return intern_put(&k->chains, &caller, sizeof(caller));
}

void kmem_leak_add(struct kmem *k, const struct record *r, uint64_t key, uint64_t caller,
		   uint64_t bytes, bool pages)
{
	uint32_t *at = idmap_put(&k->live_of, live_key(key, pages));
	struct kmem_live *l;

	if (*at == HASH_NONE) {
		*at = (uint32_t)k->live.n;
		vec_add(&k->live, (struct kmem_live){0});
	}
	l = &k->live.at[*at];
	*l = (struct kmem_live){.bytes = bytes,
				.time = k->last,
				.chain = chain_of(k, r, caller),
				.pages = pages};
}

void kmem_leak_free(struct kmem *k, uint64_t key, bool pages)
{
	const uint32_t at = idmap_find(&k->live_of, live_key(key, pages));

	if (at != HASH_NONE)
		k->live.at[at].freed = true;
}

static int compare_leaks(const void *a, const void *b)
{
	const struct kmem_leak *one = a, *two = b;

	if (one->bytes != two->bytes)
		return one->bytes < two->bytes ? 1 : -1;
	if (one->count != two->count)
		return one->count < two->count ? 1 : -1;
	return (one->chain > two->chain) - (one->chain < two->chain);
}

void kmem_leaks_sum(struct kmem *k)
{
	const uint64_t span = k->last - k->first + 1;

	for (size_t i = 0; i < k->live.n; i++) {
		const struct kmem_live *l = &k->live.at[i];
		struct kmem_leak *to;
		uint32_t *at;

		if (l->freed)
			continue;
		at = idmap_put(&k->chain_leak[l->pages], l->chain);
		if (*at == HASH_NONE) {
			*at = (uint32_t)k->leaks.n;
			vec_add(&k->leaks, (struct kmem_leak){.chain = l->chain,
							      .pages = l->pages,
							      .oldest = l->time});
		}
		to = &k->leaks.at[*at];
		to->bytes += l->bytes;
		to->count++;
		to->oldest = MIN(to->oldest, l->time);
		to->grown[(uint64_t)((double)(l->time - k->first) / (double)span *
				     KMEM_QUARTERS)] += l->bytes;
	}
	if (k->leaks.n)
		qsort(k->leaks.at, k->leaks.n, sizeof(*k->leaks.at), compare_leaks);
}
