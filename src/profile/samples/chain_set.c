// SPDX-License-Identifier: MIT
#include "profile/samples/chain_set.h"

static uint32_t path_length(uint32_t n)
{
	return (n + CHAIN_BLOCK - 1) / CHAIN_BLOCK;
}

/* How many frames are in block k of a chain of n. */
static uint32_t block_size(uint32_t n, uint32_t k)
{
	return k * CHAIN_BLOCK < n ? MIN(n - k * CHAIN_BLOCK, (uint32_t)CHAIN_BLOCK) : 0;
}

static bool block_is_at(const struct chain_set *set, uint32_t at, const uint32_t *ids, uint32_t n)
{
	return at + (size_t)n <= set->ids.n && !memcmp(set->ids.at + at, ids, n * sizeof(*ids));
}

/* Where a block of these ids begins in set->ids, added if new. */
static uint32_t block_put(struct chain_set *set, const uint32_t *ids, uint32_t n)
{
	const uint64_t hash = hash_bytes(ids, n * sizeof(*ids), 0);
	uint32_t i = id_slots_begin(&set->blocks, hash), at;

	while ((at = id_slots_next(&set->blocks, hash, &i)) != HASH_NONE)
		if (block_is_at(set, at, ids, n))
			return at;
	at = (uint32_t)set->ids.n;
	id_slots_add(&set->blocks, at, hash);
	memcpy(vec_extend(&set->ids, n), ids, n * sizeof(*ids));
	return at;
}

/* Adds the path of a chain to the end of set->paths. Its outermost `shared` frames are those of the
 * chain before it. */
static void path_add(struct chain_set *set, const uint32_t *ids, uint32_t n, uint32_t shared)
{
	const uint32_t same = shared / CHAIN_BLOCK;

	for (uint32_t k = 0; k * CHAIN_BLOCK < n; k++) {
		const uint32_t *block = ids + (size_t)k * CHAIN_BLOCK;
		const uint32_t size = block_size(n, k);
		uint32_t at = HASH_NONE;

		/* the chain before it often has the same outer callers */
		if (block_size(set->last.n, k) == size)
			at = set->paths.at[set->last.from + k];
		if (k >= same && (at == HASH_NONE || !block_is_at(set, at, block, size)))
			at = block_put(set, block, size);
		vec_add(&set->paths, at);
	}
}

static uint32_t path_find(const struct chain_set *set, const uint32_t *path, uint32_t n,
			  uint64_t hash)
{
	const size_t size = path_length(n) * sizeof(*path);
	uint32_t i = id_slots_begin(&set->slots, hash), id;

	while ((id = id_slots_next(&set->slots, hash, &i)) != HASH_NONE) {
		const struct chain_path *c = &set->all.at[id];

		if (c->n == n && !memcmp(set->paths.at + c->from, path, size))
			break;
	}
	return id;
}

uint32_t chain_set_put_outer(struct chain_set *set, const uint32_t *ids, size_t n, size_t shared)
{
	const struct chain_path new = {(uint32_t)set->paths.n, (uint32_t)n};
	const uint32_t *path;
	uint64_t hash;
	uint32_t id;

	if (!n)
		return HASH_NONE;
	path_add(set, ids, new.n, (uint32_t)shared);
	path = set->paths.at + new.from;
	hash = hash_bytes(path, path_length(new.n) * sizeof(*path), n);
	id = path_find(set, path, new.n, hash);
	if (id == HASH_NONE) {
		id = (uint32_t)set->all.n;
		id_slots_add(&set->slots, id, hash);
		vec_add(&set->all, new);
	} else {
		set->paths.n = new.from;
	}
	set->last = set->all.at[id];
	return id;
}

uint32_t chain_set_put(struct chain_set *set, const uint32_t *ids, size_t n)
{
	vec_clear(&set->outer);
	vec_reserve(&set->outer, n);
	for (size_t i = n; i; i--)
		vec_add(&set->outer, ids[i - 1]);
	return chain_set_put_outer(set, set->outer.at, n, 0);
}

struct chain chain_set_read(const struct chain_set *set, uint32_t id, struct chain_room *room)
{
	const struct chain_path *c = &set->all.at[id];
	const uint32_t *path = set->paths.at + c->from;
	uint32_t *at;

	vec_clear(&room->ids);
	vec_reserve(&room->ids, c->n);
	at = room->ids.at + c->n;
	for (uint32_t left = c->n; left;) {
		const uint32_t size = MIN(left, (uint32_t)CHAIN_BLOCK);
		const uint32_t *block = set->ids.at + *path++;

		for (uint32_t i = 0; i < size; i++)
			*--at = block[i];
		left -= size;
	}
	return (struct chain){room->ids.at, c->n};
}

void chain_set_settle(struct chain_set *set)
{
	id_slots_release(&set->slots);
	id_slots_release(&set->blocks);
	vec_release(&set->outer);
}

void chain_set_release(struct chain_set *set)
{
	vec_release(&set->all);
	vec_release(&set->paths);
	vec_release(&set->ids);
	chain_set_settle(set);
	set->last = (struct chain_path){0};
}
