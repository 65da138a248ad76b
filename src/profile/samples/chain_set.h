/* SPDX-License-Identifier: MIT */
/*
 * Call chains, each held once: arrays of frame ids, the sampled function first and its callers
 * after it ("callee order", whatever order it is shown in). All zero is valid and empty.
 */
#ifndef PROFILE_CHAIN_SET_H
#define PROFILE_CHAIN_SET_H

#include "base/hash.h"

/* A chain: n frame ids at at[0..n). */
struct chain {
	const uint32_t *at;
	uint32_t n;
};

struct chain_set {
	VEC(struct chain) all;	/* by id */
	struct id_slots slots;	/* by their frames */
	struct arena arena;	/* the frames of chains, but for borrowed ones */
};

/* The id of the chain of these frames, added if new; HASH_NONE for n 0. */
uint32_t chain_set_put(struct chain_set *set, const uint32_t *ids, size_t n);
/* The same, but the array is not copied: it must stay as long as the set. */
uint32_t chain_set_put_borrowed(struct chain_set *set, const uint32_t *ids, size_t n);
static inline const struct chain *chain_set_at(const struct chain_set *set, uint32_t id)
{
	return &set->all.at[id];
}
/* No more chains come: what finds them is given up. */
void chain_set_settle(struct chain_set *set);
void chain_set_release(struct chain_set *set);

#endif
