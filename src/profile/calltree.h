/* SPDX-License-Identifier: MIT */
/*
 * Call trees: the unique chains of one row of a report, folded into a tree of shared beginnings.
 *
 * A chain is an array of frame ids in the order in which it is shown: outermost caller first for
 * ORDER_CALLER, the sampled function first for ORDER_CALLEE. Equal ids are equal frames; ranks[id]
 * orders them (siblings of equal weight stand in rank order). A row holds hits: pieces of chains
 * with their weights. In --children mode a row of an inner function holds the piece of the chain
 * from its frame on.
 *
 * The tree is built from the unique hits of a row when the row is shown, never per sample. Its nodes
 * are compressed: a node holds a run of frames, and ends where chains part or one of them ends.
 */
#ifndef PROFILE_CALLTREE_H
#define PROFILE_CALLTREE_H

#include "base/mem.h"

#include <stdbool.h>

enum calltree_mode {
	CALLTREE_NONE,
	CALLTREE_FLAT,	  /* each chain by itself */
	CALLTREE_GRAPH,	  /* a tree, percentages of the total */
	CALLTREE_FRACTAL, /* a tree, percentages of the parent */
	CALLTREE_FOLDED,  /* each chain by itself, on one line */
};
enum calltree_order { ORDER_CALLEE, ORDER_CALLER };
enum calltree_key { CALLTREE_BY_FUNCTION, CALLTREE_BY_ADDRESS, CALLTREE_BY_SRCLINE };
enum calltree_value { CALLTREE_PERCENT, CALLTREE_PERIOD, CALLTREE_COUNT };

/* What -g and --call-graph say. */
struct calltree_params {
	enum calltree_mode mode;
	enum calltree_order order;
	enum calltree_key key;
	enum calltree_value value;
	double min_percent;	/* chains below it aren't shown */
	uint32_t print_limit;	/* entries on one level, 0: all */
	bool order_given;	/* the order was named, not taken from --children */
	bool branch_info;	/* "branch": chains show branch flags */
};

/* The default of `report`: graph,0.5,caller|callee,function,percent. */
void calltree_params_default(struct calltree_params *p, bool children);

struct chain {
	const uint32_t *frames;
	uint32_t n;
};

struct chain_hit {
	uint32_t chain; /* index into the profile's chains */
	uint32_t from;	/* the piece is frames[from .. n) */
	uint64_t period, count;
};

struct calltree_node {
	const uint32_t *frames; /* borrowed from a chain; the root has none */
	uint32_t n_frames;
	uint64_t hit, count;			/* chains that end here */
	uint64_t children_hit, children_count; /* chains that go on */
	const struct calltree_node *parent;
	struct calltree_node **children; /* in rank order */
	uint32_t n_children;
};

static inline uint64_t calltree_period(const struct calltree_node *n)
{
	return n->hit + n->children_hit;
}
static inline uint64_t calltree_count(const struct calltree_node *n)
{
	return n->count + n->children_count;
}

/* The tree of these hits, in the arena. hits is sorted in place; empty pieces are left out. */
struct calltree_node *calltree_build(struct arena *arena, const struct chain *chains,
				     const uint32_t *ranks, struct chain_hit *hits, size_t n_hits);

/*
 * What is shown of a node's children (GRAPH, FRACTAL: those of at least min_hit, heaviest first) or
 * of a whole tree (FLAT, FOLDED: every node where chains end with at least min_hit). Equal weights
 * keep rank order. The array is allocated from the arena; returns its length.
 */
size_t calltree_children(struct arena *arena, const struct calltree_node *node, uint64_t min_hit,
			 const struct calltree_node ***shown);
size_t calltree_leaves(struct arena *arena, const struct calltree_node *root, uint64_t min_hit,
		       const struct calltree_node ***shown);

#endif
