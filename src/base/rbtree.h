/* SPDX-License-Identifier: MIT */
/*
 * A red-black tree over an array of nodes, named by their index.
 *
 * For output that depends on the shape of a tree in the reference. The algorithm is that of the
 * textbook (Cormen, Leiserson, Rivest and Stein, "Introduction to Algorithms", chapter 13). Where
 * only order matters, sort an array instead.
 *
 * The caller owns the nodes, finds the place of a new one by walking from the root, and compares as
 * it likes. Node 0 (RB_NIL) is the sentinel: all zero at the start.
 */
#ifndef BASE_RBTREE_H
#define BASE_RBTREE_H

#include <stdbool.h>
#include <stdint.h>

#define RB_NIL 0u

struct rb_node {
	uint32_t key; /* the caller's */
	uint32_t up, child[2];
	bool red;
};

struct rb_tree {
	struct rb_node *at;
	uint32_t root;
};

/* Inserts node x as the child of up (RB_NIL: x is the first node) on that side (0 left, 1 right),
 * and rebalances. */
void rb_insert(struct rb_tree *t, uint32_t x, uint32_t up, int side);
void rb_erase(struct rb_tree *t, uint32_t x);
/* Walk in order from the leftmost node on; RB_NIL: the end. */
uint32_t rb_first(const struct rb_tree *t);
uint32_t rb_next(const struct rb_tree *t, uint32_t x);

#endif
