// SPDX-License-Identifier: MIT
#include "profile/entry.h"

#define MOST 10 /* bytes that a hit takes */

static uint32_t put(uint8_t *at, uint32_t v)
{
	uint32_t n = 0;

	for (; v >= 0x80; v >>= 7)
		at[n++] = (uint8_t)v | 0x80;
	at[n++] = (uint8_t)v;
	return n;
}

static uint32_t get(const uint8_t *bytes, uint32_t *at)
{
	uint32_t v = 0;

	for (unsigned int shift = 0;; shift += 7) {
		uint8_t byte = bytes[(*at)++];

		v |= (uint32_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
}

void hits_add(struct entry_hits *h, uint32_t group, uint32_t from)
{
	if (h->cap - h->used < MOST) {
		h->cap += h->cap / 2 + MOST;
		h->bytes = mem_resize(h->bytes, h->cap);
	}
	h->used += put(h->bytes + h->used, group - h->last);
	h->used += put(h->bytes + h->used, from);
	h->last = group;
	h->n++;
}

bool hits_next(const struct entry_hits *h, struct hits_walk *w)
{
	if (!w->left)
		return false;
	w->left--;
	w->group += get(h->bytes, &w->at);
	w->from = get(h->bytes, &w->at);
	return true;
}
