// SPDX-License-Identifier: MIT
#include "profile/samples/chain_set.h"

static uint32_t chain_set_find(const struct chain_set *set, const uint32_t *ids, size_t n,
			       uint64_t hash)
{
	uint32_t i = id_slots_begin(&set->slots, hash), id;

	while ((id = id_slots_next(&set->slots, hash, &i)) != HASH_NONE) {
		const struct chain *c = chain_set_at(set, id);

		if (c->n == n && !memcmp(c->at, ids, n * sizeof(*ids)))
			break;
	}
	return id;
}

static uint32_t chain_set_add(struct chain_set *set, const uint32_t *ids, size_t n, uint64_t hash)
{
	const uint32_t id = (uint32_t)set->all.n;

	id_slots_add(&set->slots, id, hash);
	vec_add(&set->all, (struct chain){ids, (uint32_t)n});
	return id;
}

uint32_t chain_set_put(struct chain_set *set, const uint32_t *ids, size_t n)
{
	const size_t size = n * sizeof(*ids);
	const uint64_t hash = hash_bytes(ids, size, 0);
	uint32_t id;

	if (!n)
		return HASH_NONE;
	id = chain_set_find(set, ids, n, hash);
	if (id == HASH_NONE)
		id = chain_set_add(set, memcpy(arena_alloc_large(&set->arena, size), ids, size), n,
				   hash);
	return id;
}

uint32_t chain_set_put_borrowed(struct chain_set *set, const uint32_t *ids, size_t n)
{
	const uint64_t hash = hash_bytes(ids, n * sizeof(*ids), 0);
	uint32_t id;

	if (!n)
		return HASH_NONE;
	id = chain_set_find(set, ids, n, hash);
	return id == HASH_NONE ? chain_set_add(set, ids, n, hash) : id;
}

void chain_set_settle(struct chain_set *set)
{
	id_slots_release(&set->slots);
}

void chain_set_release(struct chain_set *set)
{
	vec_release(&set->all);
	id_slots_release(&set->slots);
	arena_release(&set->arena);
}
