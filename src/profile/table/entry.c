// SPDX-License-Identifier: MIT
#include "profile/table/entry.h"

#include "profile/table/part.h"

#define HIT_MOST 10 /* bytes that a hit takes */

static uint32_t hit_put_number(uint8_t *at, uint32_t v)
{
	uint32_t n = 0;

	for (; v >= 0x80; v >>= 7)
		at[n++] = (uint8_t)v | 0x80;
	at[n++] = (uint8_t)v;
	return n;
}

static uint32_t hit_get_number(const uint8_t *bytes, uint32_t *at)
{
	uint32_t v = 0;

	for (unsigned int shift = 0;; shift += 7) {
		uint8_t byte = bytes[(*at)++];

		v |= (uint32_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
}

static const uint8_t *hits_bytes(const struct entry_hits *h)
{
	return h->cap ? h->bytes : h->inside;
}

/* Makes room for n more bytes and returns it. */
static uint8_t *hits_make_room(struct entry_hits *h, uint32_t n)
{
	if (!h->cap && h->used + n <= HITS_INSIDE)
		return h->inside + h->used;
	if (!h->cap) {
		uint8_t *outside = mem_alloc(HITS_INSIDE + HIT_MOST);

		memcpy(outside, h->inside, h->used);
		h->bytes = outside;
		h->cap = HITS_INSIDE + HIT_MOST;
	} else if (h->cap - h->used < n) {
		h->cap += h->cap / 2 + HIT_MOST;
		h->bytes = mem_resize(h->bytes, h->cap);
	}
	return h->bytes + h->used;
}

void hits_add(struct entry_hits *h, uint32_t group, uint32_t from)
{
	uint8_t hit[HIT_MOST];
	uint32_t n = hit_put_number(hit, group - h->last);

	n += hit_put_number(hit + n, from);
	memcpy(hits_make_room(h, n), hit, n);
	h->used += n;
	h->last = group;
	h->n++;
}

void hits_release(struct entry_hits *h)
{
	if (h->cap)
		free(h->bytes);
	*h = (struct entry_hits){0};
}

bool hits_next(const struct entry_hits *h, struct hits_walk *w)
{
	if (!w->left)
		return false;
	w->left--;
	w->group += hit_get_number(hits_bytes(h), &w->at);
	w->from = hit_get_number(hits_bytes(h), &w->at);
	return true;
}

/* -- entries -- */

/* The sums of an entry. Tables without parts allocate the weights alone. */
struct entry_sums {
	struct weights weights;
	uint64_t parts[PARTS];
};

static const struct entry_sums no_sums;

struct entry *entry_new(struct arena *arena, const uint64_t *values, size_t n_values)
{
	const size_t size = n_values * sizeof(*values);
	struct entry *e = arena_alloc_large(arena, sizeof(*e) + size);

	memset(e, 0, sizeof(*e));
	memcpy(e->values, values, size);
	e->self = &no_sums.weights;
	return e;
}

void entry_add_self(struct arena *arena, struct entry *e, const struct weights *more,
		    const uint64_t *parts)
{
	const size_t size = parts ? sizeof(struct entry_sums) : sizeof(struct weights);
	struct weights *sum = e->self == &no_sums.weights ? arena_alloc(arena, size)
							  : (struct weights *)(uintptr_t)e->self;
	uint64_t *own = (uint64_t *)(sum + 1);

	weights_add(sum, more);
	for (int i = 0; parts && i < PARTS; i++)
		own[i] += parts[i];
	e->self = sum;
}
