// SPDX-License-Identifier: MIT
#include "base/rbtree.h"

static int side_of(const struct rb_tree *t, uint32_t x)
{
	return t->at[t->at[x].up].child[0] != x;
}

/* Makes y the child of x's parent in place of x. */
static void replace(struct rb_tree *t, uint32_t x, uint32_t y)
{
	uint32_t up = t->at[x].up;

	if (up == RB_NIL)
		t->root = y;
	else
		t->at[up].child[side_of(t, x)] = y;
	t->at[y].up = up;
}

/* Rotates: x moves down to that side, and its other child takes its place. */
static void rotate(struct rb_tree *t, uint32_t x, int side)
{
	uint32_t y = t->at[x].child[!side], inner = t->at[y].child[side];

	replace(t, x, y);
	t->at[x].child[!side] = inner;
	if (inner != RB_NIL)
		t->at[inner].up = x;
	t->at[y].child[side] = x;
	t->at[x].up = y;
}

void rb_insert(struct rb_tree *t, uint32_t x, uint32_t up, int side)
{
	struct rb_node *n = t->at;

	n[x].up = up;
	n[x].child[0] = n[x].child[1] = RB_NIL;
	n[x].red = true;
	if (up == RB_NIL)
		t->root = x;
	else
		n[up].child[side] = x;
	while (n[n[x].up].red) {
		uint32_t top = n[n[x].up].up, uncle;

		side = side_of(t, n[x].up);
		uncle = n[top].child[!side];
		if (n[uncle].red) {
			n[n[x].up].red = n[uncle].red = false;
			n[top].red = true;
			x = top;
			continue;
		}
		if (side_of(t, x) != side) {
			x = n[x].up;
			rotate(t, x, side);
		}
		n[n[x].up].red = false;
		n[top].red = true;
		rotate(t, top, !side);
	}
	n[t->root].red = false;
}

/* Restores equal black heights after a black node above x was removed. */
static void rebalance(struct rb_tree *t, uint32_t x)
{
	struct rb_node *n = t->at;

	while (x != t->root && !n[x].red) {
		uint32_t up = n[x].up, sibling;
		int side = side_of(t, x);

		sibling = n[up].child[!side];
		if (n[sibling].red) {
			n[sibling].red = false;
			n[up].red = true;
			rotate(t, up, side);
			sibling = n[up].child[!side];
		}
		if (!n[n[sibling].child[0]].red && !n[n[sibling].child[1]].red) {
			n[sibling].red = true;
			x = up;
			continue;
		}
		if (!n[n[sibling].child[!side]].red) {
			n[n[sibling].child[side]].red = false;
			n[sibling].red = true;
			rotate(t, sibling, !side);
			sibling = n[up].child[!side];
		}
		n[sibling].red = n[up].red;
		n[up].red = false;
		n[n[sibling].child[!side]].red = false;
		rotate(t, up, side);
		x = t->root;
	}
	n[x].red = false;
}

void rb_erase(struct rb_tree *t, uint32_t x)
{
	struct rb_node *n = t->at;
	uint32_t moved, next;
	bool was_red = n[x].red;

	if (n[x].child[0] == RB_NIL || n[x].child[1] == RB_NIL) {
		moved = n[x].child[n[x].child[0] == RB_NIL];
		replace(t, x, moved);
	} else {
		next = n[x].child[1];
		while (n[next].child[0] != RB_NIL)
			next = n[next].child[0];
		was_red = n[next].red;
		moved = n[next].child[1];
		if (n[next].up == x) {
			n[moved].up = next; /* it may be the sentinel */
		} else {
			replace(t, next, moved);
			n[next].child[1] = n[x].child[1];
			n[n[next].child[1]].up = next;
		}
		replace(t, x, next);
		n[next].child[0] = n[x].child[0];
		n[n[next].child[0]].up = next;
		n[next].red = n[x].red;
	}
	if (!was_red)
		rebalance(t, moved);
	n[RB_NIL] = (struct rb_node){0};
}

static uint32_t leftmost(const struct rb_tree *t, uint32_t x)
{
	while (x != RB_NIL && t->at[x].child[0] != RB_NIL)
		x = t->at[x].child[0];
	return x;
}

uint32_t rb_first(const struct rb_tree *t)
{
	return leftmost(t, t->root);
}

uint32_t rb_next(const struct rb_tree *t, uint32_t x)
{
	if (t->at[x].child[1] != RB_NIL)
		return leftmost(t, t->at[x].child[1]);
	while (t->at[x].up != RB_NIL && t->at[t->at[x].up].child[1] == x)
		x = t->at[x].up;
	return t->at[x].up;
}
