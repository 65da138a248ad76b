// SPDX-License-Identifier: MIT
#include "profile/samples/waker_links.h"

static uint32_t waker_links_put(struct waker_links *w, uint32_t waker, uint32_t function,
				uint32_t next)
{
	const struct {
		uint32_t waker, function, next;
	} key = {waker, function, next};
	const uint64_t hash = hash_bytes(&key, sizeof(key), 0);
	uint32_t at = id_slots_begin(&w->by_value, hash), id;

	while ((id = id_slots_next(&w->by_value, hash, &at)) != HASH_NONE) {
		const struct waker_link *link = &w->links.at[id];

		if (link->waker == waker && link->function == function && link->next == next)
			return id + 1;
	}
	id_slots_add(&w->by_value, (uint32_t)w->links.n, hash);
	vec_add(&w->links,
		(struct waker_link){.waker = waker,
				    .function = function,
				    .next = next,
				    .length = 1 + (next ? w->links.at[next - 1].length : 0)});
	return (uint32_t)w->links.n;
}

/* The chain without its last link. */
static uint32_t waker_links_cut(struct waker_links *w, uint32_t chain)
{
	struct waker_link links[WAKER_LINKS_MAX];
	uint32_t n = 0, cut = 0;

	for (const struct waker_link *link; (link = waker_links_first(w, chain));
	     chain = link->next)
		links[n++] = *link;
	while (n-- > 1)
		cut = waker_links_put(w, links[n - 1].waker, links[n - 1].function, cut);
	return cut;
}

uint32_t waker_links_get(struct waker_links *w, uint32_t waker, const char *function, uint32_t next)
{
	const struct waker_link *behind = waker_links_first(w, next);

	if (behind && behind->length == WAKER_LINKS_MAX)
		next = waker_links_cut(w, next);
	return waker_links_put(w, waker, function ? intern_str(&w->names, function) : HASH_NONE,
			       next);
}

void waker_links_release(struct waker_links *w)
{
	vec_release(&w->links);
	id_slots_release(&w->by_value);
	intern_release(&w->names);
}
