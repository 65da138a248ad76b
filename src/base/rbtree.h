/* SPDX-License-Identifier: MIT */
/*
 * A red-black tree over an array of nodes, named by their index.
 *
 * For those places where answers depend on the shape that a tree of the reference grew into: the
 * tree is that of the textbook (Cormen, Leiserson, Rivest and Stein, "Introduction to Algorithms",
 * chapter 13). Who only wants order should sort an array.
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

/* Hangs node x below up (RB_NIL: x is the first) on that side (0 left, 1 right), and balances. */
void rb_insert(struct rb_tree *t, uint32_t x, uint32_t up, int side);
void rb_erase(struct rb_tree *t, uint32_t x);
/* In order, from the leftmost on; RB_NIL ends. */
uint32_t rb_first(const struct rb_tree *t);
uint32_t rb_next(const struct rb_tree *t, uint32_t x);

#endif
