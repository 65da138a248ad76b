/* SPDX-License-Identifier: MIT */
/*
 * Hash tables: byte strings to small dense ids (interning), hashes to ids, and 64-bit keys to
 * 32-bit values. None is safe for use from two threads.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/mem.h"

#include <stdbool.h>
#include <string.h>

#define HASH_NONE UINT32_MAX

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed); /* XXH3 */
uint64_t hash_bytes_avx2(const void *p, size_t n, uint64_t seed); /* private; on x86-64 */
/* A 128-bit XXH3 hash. With a secret seed, bytes with equal hashes can be taken as equal: two
 * different byte strings have equal hashes once in 2^128 pairs. */
struct hash128 {
	uint64_t low, high;
};
struct hash128 hash_bytes128(const void *p, size_t n, uint64_t seed);
uint64_t hash_seed(void); /* secret; constant for the life of the process */

/* hash_bytes() with seed 0, of bytes that come in pieces. */
struct hash_stream;
struct hash_stream *hash_stream_new(void);
void hash_stream_add(struct hash_stream *h, const void *p, size_t n);
uint64_t hash_stream_value(const struct hash_stream *h);
void hash_stream_reset(struct hash_stream *h);
void hash_stream_free(struct hash_stream *h); /* NULL is none */

/* Byte strings <-> ids 0, 1, 2, ... in order of first sight. All zero is valid and empty. */
struct intern {
	struct arena arena;
	VEC(struct intern_entry) entries;
	struct intern_slot {
		uint32_t id, tag; /* tag: some bits of the hash, which tell most other entries apart
				   * without reading them */
	} *slots;
	uint32_t mask; /* slots - 1, or 0 when there are none */
};
struct intern_entry {
	const void *p; /* aligned to 8; followed by a zero byte that is not counted in n */
	size_t n;
	uint64_t hash;
};
uint32_t intern_put(struct intern *in, const void *p, size_t n); /* id, added if new */
uint32_t intern_put_hashed(struct intern *in, const void *p, size_t n, uint64_t hash);
uint32_t intern_find(const struct intern *in, const void *p, size_t n); /* id or HASH_NONE */
static inline uint32_t intern_str(struct intern *in, const char *s)
{
	return intern_put(in, s, strlen(s));
}
static inline const char *intern_text(const struct intern *in, uint32_t id)
{
	return in->entries.at[id].p;
}
void intern_release(struct intern *in);

/*
 * Prefetch the slot, the entry and the bytes that intern_put_hashed() will read. A caller with a
 * batch of lookups calls the first function for all of them, then the second, then the third: each
 * reads what the one before it has prefetched.
 */
static inline void intern_ask_slot(const struct intern *in, uint64_t hash)
{
	if (in->mask)
		__builtin_prefetch(&in->slots[(uint32_t)hash & in->mask]);
}
static inline void intern_ask_entry(const struct intern *in, uint64_t hash)
{
	uint32_t id = in->mask ? in->slots[(uint32_t)hash & in->mask].id : HASH_NONE;

	if (id != HASH_NONE)
		__builtin_prefetch(&in->entries.at[id]);
}
static inline void intern_ask_bytes(const struct intern *in, uint64_t hash)
{
	uint32_t id = in->mask ? in->slots[(uint32_t)hash & in->mask].id : HASH_NONE;

	if (id != HASH_NONE) {
		__builtin_prefetch(in->entries.at[id].p);
		__builtin_prefetch((const char *)in->entries.at[id].p + 64);
	}
}

/*
 * Ids by hash, for rows that lie elsewhere and are found by some of their own fields. The caller
 * compares the fields. All zero is valid and empty.
 *
 *   for (i = id_slots_begin(t, hash); (id = id_slots_next(t, hash, &i)) != HASH_NONE;)
 *           ... is it the one that is looked for?
 */
struct id_slots {
	struct intern_slot
		*slots; /* tag: the upper half of the hash, which alone says where an id belongs */
	uint32_t n, mask;
};
static inline uint32_t id_slots_begin(const struct id_slots *t, uint64_t hash)
{
	return (uint32_t)(hash >> 32) & t->mask;
}
/* The next id with (most of) this hash, for the caller to compare; HASH_NONE: no more. */
static inline uint32_t id_slots_next(const struct id_slots *t, uint64_t hash, uint32_t *i)
{
	while (t->slots && t->slots[*i].id != HASH_NONE) {
		const struct intern_slot *slot = &t->slots[*i];

		*i = (*i + 1) & t->mask;
		if (slot->tag == hash >> 32)
			return slot->id;
	}
	return HASH_NONE;
}
void id_slots_add(struct id_slots *t, uint32_t id, uint64_t hash);
/* A hash of two words for id_slots: the low 47 bits of both words change its upper half. */
static inline uint64_t hash_pair(uint64_t a, uint64_t b)
{
	return (a ^ b * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
}
static inline void id_slots_ask(const struct id_slots *t, uint64_t hash) /* as intern_ask_slot() */
{
	if (t->mask)
		__builtin_prefetch(&t->slots[id_slots_begin(t, hash)]);
}
void id_slots_release(struct id_slots *t);

/* u64 -> u32. All zero is valid and empty. */
struct idmap {
	struct idmap_slot {
		uint64_t key;
		uint32_t value;
		bool used;
	} *slots;
	uint32_t n, mask;
};
/* The slot that has the key, or the free slot where it belongs. The map must have slots. */
static inline struct idmap_slot *idmap_slot(const struct idmap *m, uint64_t key)
{
	uint64_t mixed = (key ^ key >> 32) * 0x9e3779b97f4a7c15u;
	uint32_t i = (uint32_t)(mixed ^ mixed >> 29) & m->mask;

	while (m->slots[i].used && m->slots[i].key != key)
		i = (i + 1) & m->mask;
	return &m->slots[i];
}
/* The value, or HASH_NONE. */
static inline uint32_t idmap_find(const struct idmap *m, uint64_t key)
{
	const struct idmap_slot *s = m->slots ? idmap_slot(m, key) : NULL;

	return s && s->used ? s->value : HASH_NONE;
}
/* The place of the key's value, added with HASH_NONE when new; valid until the next put. */
uint32_t *idmap_put(struct idmap *m, uint64_t key);
void idmap_release(struct idmap *m);

#endif
