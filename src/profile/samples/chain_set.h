/* SPDX-License-Identifier: MIT */
/*
 * Call chains, each held once: frame ids, the sampled function first and its callers after it
 * ("callee order", whatever order it is shown in). All zero is valid and empty.
 *
 * A chain is stored as a path of blocks. A block holds CHAIN_BLOCK frame ids, counted from the
 * outermost caller (the innermost block may hold fewer). Equal blocks are held once: most chains
 * share their outer callers. Frame i of a chain is found in constant time.
 */
#ifndef PROFILE_CHAIN_SET_H
#define PROFILE_CHAIN_SET_H

#include "base/hash.h"

#define CHAIN_BLOCK 8

/* A chain as it was read into an array: n frame ids at at[0..n). */
struct chain {
	const uint32_t *at;
	uint32_t n;
};

/* The array that a chain is read into; release it with vec_release(). */
struct chain_room {
	VEC(uint32_t) ids;
};

struct chain_path {
	uint32_t from; /* index in chain_set.paths of its outermost block */
	uint32_t n;    /* frames */
};

struct chain_set {
	VEC(struct chain_path) all; /* by id */
	VEC(uint32_t) paths;	    /* of each chain, where its blocks begin in ids */
	VEC(uint32_t) ids;	    /* of blocks: the outermost frame first */
	struct id_slots slots;	    /* chains, by their paths */
	struct id_slots blocks;	    /* starts of blocks in ids, by the ids of the block */
	struct chain_path last;	    /* the chain that was put last */
	VEC(uint32_t) outer;	    /* private: the chain being put */
};

/* The id of the chain of these frames, added if new; HASH_NONE for n 0. */
uint32_t chain_set_put(struct chain_set *set, const uint32_t *ids, size_t n);
/* The same for ids with the outermost caller first. The first `shared` of them are known to be
 * those of the chain that was put last (set->last). */
uint32_t chain_set_put_outer(struct chain_set *set, const uint32_t *ids, size_t n, size_t shared);
static inline uint32_t chain_set_length(const struct chain_set *set, uint32_t id)
{
	return set->all.at[id].n;
}
/* The frame id at position i of a chain. */
static inline uint32_t chain_set_frame(const struct chain_set *set, uint32_t id, uint32_t i)
{
	const struct chain_path *path = &set->all.at[id];
	const uint32_t outer = path->n - 1 - i;

	return set->ids.at[set->paths.at[path->from + outer / CHAIN_BLOCK] + outer % CHAIN_BLOCK];
}
/* All frame ids of a chain; valid until the next read into that room. */
struct chain chain_set_read(const struct chain_set *set, uint32_t id, struct chain_room *room);
/* No more chains come: frees the slots that find equal ones. */
void chain_set_settle(struct chain_set *set);
void chain_set_release(struct chain_set *set);

#endif
