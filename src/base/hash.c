// SPDX-License-Identifier: MIT
#include "base/hash.h"

#define XXH_INLINE_ALL
#ifdef __ALTIVEC__
#define XXH_VECTOR 0 /* plain C: the intrinsics of altivec.h have a vec_add, too */
#endif
#include <sys/auxv.h>
#include <xxhash.h>

/* From so many bytes on, the processor is asked for AVX2. */
#define HASH_LONG 1024

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed)
{
#ifdef __x86_64__
	if (n >= HASH_LONG && __builtin_cpu_supports("avx2"))
		return hash_bytes_avx2(p, n, seed);
#endif
	return XXH3_64bits_withSeed(p, n, seed);
}

struct hash128 hash_bytes128(const void *p, size_t n, uint64_t seed)
{
	XXH128_hash_t h = XXH3_128bits_withSeed(p, n, seed);

	return (struct hash128){h.low64, h.high64};
}

uint64_t hash_seed(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM); /* 16 bytes, the kernel's */

	return random ? hash_bytes(random, 16, 0) : 0;
}

struct hash_stream {
	XXH3_state_t *state;
};

struct hash_stream *hash_stream_new(void)
{
	struct hash_stream *h = NEW(struct hash_stream);

	h->state = XXH3_createState();
	if (!h->state)
		abort();
	hash_stream_reset(h);
	return h;
}

void hash_stream_add(struct hash_stream *h, const void *p, size_t n)
{
	XXH3_64bits_update(h->state, p, n);
}

uint64_t hash_stream_value(const struct hash_stream *h)
{
	return XXH3_64bits_digest(h->state);
}

void hash_stream_reset(struct hash_stream *h)
{
	XXH3_64bits_reset(h->state);
}

void hash_stream_free(struct hash_stream *h)
{
	if (h)
		XXH3_freeState(h->state);
	free(h);
}

static uint32_t tag_of(uint64_t hash)
{
	return (uint32_t)(hash >> 32);
}

static void intern_rehash(struct intern *in, uint32_t size)
{
	free(in->slots);
	in->slots = mem_alloc(size * sizeof(*in->slots));
	memset(in->slots, 0xff, size * sizeof(*in->slots));
	in->mask = size - 1;
	for (uint32_t id = 0; id < in->entries.n; id++) {
		uint64_t hash = in->entries.at[id].hash;
		uint32_t i = (uint32_t)hash & in->mask;

		while (in->slots[i].id != HASH_NONE)
			i = (i + 1) & in->mask;
		in->slots[i] = (struct intern_slot){id, tag_of(hash)};
	}
}

static struct intern_slot *intern_find_slot(const struct intern *in, const void *p, size_t n,
					    uint64_t hash)
{
	uint32_t i = (uint32_t)hash & in->mask;

	for (; in->slots[i].id != HASH_NONE; i = (i + 1) & in->mask) {
		const struct intern_entry *e;

		if (in->slots[i].tag != tag_of(hash))
			continue;
		e = &in->entries.at[in->slots[i].id];
		if (e->hash == hash && e->n == n && (!n || !memcmp(e->p, p, n)))
			break;
	}
	return &in->slots[i];
}

uint32_t intern_put_hashed(struct intern *in, const void *p, size_t n, uint64_t hash)
{
	struct intern_slot *slot;
	char *copy;

	if (!in->slots || in->entries.n * 2 > in->mask)
		intern_rehash(in, in->slots ? (in->mask + 1) * 2 : 64);
	slot = intern_find_slot(in, p, n, hash);
	if (slot->id != HASH_NONE)
		return slot->id;
	copy = arena_alloc(&in->arena, n + 1);
	if (n)
		memcpy(copy, p, n);
	copy[n] = 0;
	*slot = (struct intern_slot){(uint32_t)in->entries.n, tag_of(hash)};
	vec_add(&in->entries, (struct intern_entry){copy, n, hash});
	return slot->id;
}

uint32_t intern_put(struct intern *in, const void *p, size_t n)
{
	return intern_put_hashed(in, p, n, hash_bytes(p, n, 0));
}

uint32_t intern_find(const struct intern *in, const void *p, size_t n)
{
	if (!in->slots)
		return HASH_NONE;
	return intern_find_slot(in, p, n, hash_bytes(p, n, 0))->id;
}

void intern_release(struct intern *in)
{
	arena_release(&in->arena);
	vec_release(&in->entries);
	free(in->slots);
	memset(in, 0, sizeof(*in));
}

static void put_slot(struct id_slots *t, struct intern_slot slot)
{
	uint32_t i = slot.tag & t->mask;

	while (t->slots[i].id != HASH_NONE)
		i = (i + 1) & t->mask;
	t->slots[i] = slot;
}

void id_slots_add(struct id_slots *t, uint32_t id, uint64_t hash)
{
	if (!t->slots || t->n * 2ull > t->mask) {
		struct id_slots old = *t;
		size_t size = old.slots ? (old.mask + (size_t)1) * 2 : 64;

		t->slots = mem_alloc_large(size * sizeof(*t->slots));
		memset(t->slots, 0xff, size * sizeof(*t->slots));
		t->mask = (uint32_t)(size - 1);
		for (size_t i = 0; old.slots && i <= old.mask; i++)
			if (old.slots[i].id != HASH_NONE)
				put_slot(t, old.slots[i]);
		free(old.slots);
	}
	put_slot(t, (struct intern_slot){id, tag_of(hash)});
	t->n++;
}

void id_slots_release(struct id_slots *t)
{
	free(t->slots);
	memset(t, 0, sizeof(*t));
}

static void idmap_rehash(struct idmap *m, uint32_t size)
{
	struct idmap old = *m;

	m->slots = mem_zero(size * sizeof(*m->slots));
	m->mask = size - 1;
	for (uint32_t i = 0; old.slots && i <= old.mask; i++)
		if (old.slots[i].used)
			*idmap_slot(m, old.slots[i].key) = old.slots[i];
	free(old.slots);
}

uint32_t *idmap_put(struct idmap *m, uint64_t key)
{
	struct idmap_slot *s;

	if (!m->slots || m->n * 2 > m->mask)
		idmap_rehash(m, m->slots ? (m->mask + 1) * 2 : 64);
	s = idmap_slot(m, key);
	if (!s->used) {
		*s = (struct idmap_slot){.key = key, .value = HASH_NONE, .used = true};
		m->n++;
	}
	return &s->value;
}

void idmap_release(struct idmap *m)
{
	free(m->slots);
	memset(m, 0, sizeof(*m));
}
