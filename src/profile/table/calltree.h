/* SPDX-License-Identifier: MIT */
/*
 * Call trees: the unique chains of one entry, folded into a tree of shared beginnings.
 *
 * struct chain_hit (profile/table/entry.h) says which part of a chain belongs to an entry, and in
 * which direction the part is walked. Frames of equal rank are equal to the tree; siblings of equal
 * weight stand in rank order.
 *
 * The tree is built from the unique hits of an entry when the entry is shown, never per sample. Its
 * nodes are compressed: a node holds a run of frames, and ends where chains part or one of them
 * ends.
 */
#ifndef PROFILE_CALLTREE_H
#define PROFILE_CALLTREE_H

#include "profile/table/entry.h"

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

/* The settings of -g and --call-graph. */
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

/*
 * ranks[frame id] for the way the tree compares frames: by function (resolved frames: their dso and
 * the function's start; others: their dso and address) or by address. Owned by the caller: free().
 */
uint32_t *calltree_ranks(const struct frames *frames, enum calltree_key key);

struct calltree_node {
	const uint32_t *frames; /* ids, in the order in which they are shown */
	uint32_t n_frames;     /* 0: the root */
	uint64_t hit, count;   /* chains that end here: their periods, their samples */
	uint64_t children_hit, children_count; /* chains that go on */
	const struct calltree_node *parent;
	struct calltree_node **children; /* in rank order */
	uint32_t n_children;
};

static inline uint32_t calltree_frame(const struct calltree_node *n, uint32_t i)
{
	return n->frames[i];
}
static inline uint64_t calltree_period(const struct calltree_node *n)
{
	return n->hit + n->children_hit;
}
static inline uint64_t calltree_count(const struct calltree_node *n)
{
	return n->count + n->children_count;
}

/* The tree of these hits, in the arena. hits is sorted in place; hits without frames are left out.
 * Nodes of less than min_hit are not made, but counted in their parents' children_hit; with 0 all
 * are. */
struct calltree_node *calltree_build(struct arena *arena, const struct chain_set *chains,
				     const uint32_t *ranks, enum calltree_order order,
				     uint64_t min_hit, struct chain_hit *hits, size_t n_hits);

/*
 * The nodes to show, heaviest first: of a node's children those of at least min_hit (GRAPH,
 * FRACTAL), or of a whole tree all nodes where chains of at least min_hit end (FLAT, FOLDED). Equal
 * weights keep rank order. The array is in the arena. Returns its length.
 */
size_t calltree_children(struct arena *arena, const struct calltree_node *node, uint64_t min_hit,
			 const struct calltree_node ***shown);
size_t calltree_leaves(struct arena *arena, const struct calltree_node *root, uint64_t min_hit,
		       const struct calltree_node ***shown);

#endif
