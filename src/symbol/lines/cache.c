// SPDX-License-Identifier: MIT
#include "symbol/lines/cache.h"

#include "base/hash.h"
#include "symbol/cache/entry.h"

#include <stdlib.h>

#define PLACE	   16
#define LEVEL	   12
#define MAX_LEVELS 4096 /* of one address; no compiler nests that deep */

static const struct cache_form form = {"PERFLINE", 1};

/* -- reading -- */

static bool cache_is_for(struct cursor *header, const struct line_cache_key *key)
{
	uint64_t identity = cursor_u64(header);
	uint32_t size = cursor_u32(header);
	const uint8_t *id = cursor_bytes(header, sizeof(key->build_id.bytes));

	return id && size == key->build_id.size && !memcmp(id, key->build_id.bytes, size) &&
	       (!key->identity || identity == key->identity);
}

static bool cache_is_sound(struct line_cache *c, const struct line_cache_key *key)
{
	struct cursor in;
	uint64_t need;

	if (!cache_entry_open(c->bytes.p, c->bytes.n, &form, &in))
		return false;
	c->n_places = cursor_u32(&in);
	c->n_levels = cursor_u32(&in);
	c->n_strings = cursor_u32(&in);
	need = (uint64_t)c->n_places * PLACE + (uint64_t)c->n_levels * LEVEL + c->n_strings;
	if (!cache_is_for(&in, key) || in.bad || need != cursor_left(&in) || !c->n_strings ||
	    c->bytes.p[c->bytes.n - 1] || c->bytes.p[c->bytes.n - c->n_strings])
		return false;
	c->places = in.p;
	c->levels = c->places + (size_t)c->n_places * PLACE;
	c->strings = (const char *)c->levels + (size_t)c->n_levels * LEVEL;
	return true;
}

bool line_cache_take(struct line_cache *c, struct mapped bytes, const struct line_cache_key *key)
{
	*c = (struct line_cache){.bytes = bytes};
	if (cache_is_sound(c, key))
		return true;
	line_cache_release(c);
	return false;
}

void line_cache_release(struct line_cache *c)
{
	mapped_release(&c->bytes);
	*c = (struct line_cache){0};
}

static const char *text_at(const struct line_cache *c, uint32_t offset)
{
	return offset && offset < c->n_strings ? c->strings + offset : NULL;
}

static struct line_cache_place place_at(const struct line_cache *c, uint32_t i)
{
	struct cursor in = cache_cursor(c->places + (size_t)i * PLACE, PLACE);
	struct line_cache_place p = {.vaddr = cursor_u64(&in)};

	p.first = cursor_u32(&in);
	p.n = cursor_u32(&in);
	return p;
}

/* False: the place points outside of the levels. */
static bool add_levels(const struct line_cache *c, const struct line_cache_place *p,
		       struct line_levels *out)
{
	struct cursor in;

	if (p->n > MAX_LEVELS || p->first > c->n_levels || p->n > c->n_levels - p->first)
		return false;
	in = cache_cursor(c->levels + p->first * LEVEL, (size_t)p->n * LEVEL);
	for (uint32_t i = 0; i < p->n; i++) {
		struct line_level level = {.function = text_at(c, cursor_u32(&in))};

		level.file = text_at(c, cursor_u32(&in));
		level.line = cursor_u32(&in);
		vec_add(out, level);
	}
	return true;
}

bool line_cache_find(const struct line_cache *c, uint64_t vaddr, struct line_levels *out)
{
	uint32_t low = 0, high = c->n_places;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		struct line_cache_place p = place_at(c, middle);

		if (p.vaddr == vaddr)
			return add_levels(c, &p, out);
		if (p.vaddr < vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* -- writing -- */

void line_cache_news_release(struct line_cache_news *n)
{
	vec_release(&n->places);
	vec_release(&n->levels);
}

struct writer {
	struct buf places, levels, strings;
	struct intern texts; /* its ids index .offsets */
	VEC(uint32_t) offsets;
	uint32_t n_places, n_levels;
};

static uint32_t text_offset(struct writer *w, const char *s)
{
	uint32_t id;

	if (!s)
		return 0;
	id = intern_str(&w->texts, s);
	if (id == w->offsets.n) {
		vec_add(&w->offsets, (uint32_t)w->strings.n);
		buf_add(&w->strings, s, strlen(s) + 1);
	}
	return w->offsets.at[id];
}

static void put_place(struct writer *w, uint64_t vaddr, const struct line_level *levels, uint32_t n)
{
	n = MIN(n, MAX_LEVELS);
	cache_put_u64(&w->places, vaddr);
	cache_put_u32(&w->places, w->n_levels);
	cache_put_u32(&w->places, n);
	for (uint32_t i = 0; i < n; i++) {
		cache_put_u32(&w->levels, text_offset(w, levels[i].function));
		cache_put_u32(&w->levels, text_offset(w, levels[i].file));
		cache_put_u32(&w->levels, levels[i].line);
	}
	w->n_places++;
	w->n_levels += n;
}

static int cache_by_address(const void *a, const void *b)
{
	const struct line_cache_place *x = a, *y = b;

	return x->vaddr < y->vaddr ? -1 : x->vaddr > y->vaddr;
}

/* Merges the old places and the new ones, both sorted. A new place replaces an old one of the same
 * address. */
static void merge(struct writer *w, const struct line_cache *c, const struct line_cache_news *news)
{
	struct line_levels levels = {0};
	uint64_t last = 0;
	uint32_t k = 0;

	for (size_t i = 0; i < news->places.n || k < c->n_places;) {
		const struct line_cache_place *p = i < news->places.n ? &news->places.at[i] : NULL;
		struct line_cache_place old = {0};

		if (k < c->n_places)
			old = place_at(c, k);
		if (p && (k == c->n_places || p->vaddr <= old.vaddr)) {
			if (!w->n_places || p->vaddr != last)
				put_place(w, p->vaddr, p->n ? news->levels.at + p->first : NULL,
					  p->n);
			last = p->vaddr;
			i++;
			continue;
		}
		vec_clear(&levels);
		if ((!w->n_places || old.vaddr > last) && add_levels(c, &old, &levels)) {
			put_place(w, old.vaddr, levels.at, (uint32_t)levels.n);
			last = old.vaddr;
		}
		k++;
	}
	vec_release(&levels);
}

static void put_all(const struct writer *w, const struct line_cache_key *key, struct buf *out)
{
	cache_entry_begin(out, &form);
	cache_put_u32(out, w->n_places);
	cache_put_u32(out, w->n_levels);
	cache_put_u32(out, (uint32_t)w->strings.n);
	cache_put_u64(out, key->identity);
	cache_put_u32(out, key->build_id.size);
	buf_add(out, key->build_id.bytes, sizeof(key->build_id.bytes));
	buf_add(out, w->places.at, w->places.n);
	buf_add(out, w->levels.at, w->levels.n);
	buf_add(out, w->strings.at, w->strings.n);
	cache_entry_end(out);
}

bool line_cache_bytes(const struct line_cache *c, struct line_cache_news *news,
		      const struct line_cache_key *key, struct buf *out)
{
	struct writer w = {0};
	bool fits;

	if (news->places.n)
		qsort(news->places.at, news->places.n, sizeof(*news->places.at), cache_by_address);
	buf_char(&w.strings, 0);
	merge(&w, c, news);
	fits = w.strings.n < UINT32_MAX && w.levels.n / LEVEL == w.n_levels;
	if (fits)
		put_all(&w, key, out);
	buf_release(&w.places);
	buf_release(&w.levels);
	buf_release(&w.strings);
	intern_release(&w.texts);
	vec_release(&w.offsets);
	return fits;
}
