// SPDX-License-Identifier: MIT
#include "profile/tree_sort.h"
#include "base/mem.h"

#include <stdbool.h>

struct node {
	struct node *parent, *child[2];
	void *value;
	bool red;
};

/* Lifts the child on the other side of `side` above n. */
static void rotate(struct node **root, struct node *n, int side)
{
	struct node *up = n->child[!side], *parent = n->parent;

	n->child[!side] = up->child[side];
	if (up->child[side])
		up->child[side]->parent = n;
	up->child[side] = n;
	up->parent = parent;
	n->parent = up;
	if (parent)
		parent->child[parent->child[1] == n] = up;
	else
		*root = up;
}

static void balance(struct node **root, struct node *n)
{
	while (n->parent && n->parent->red) {
		struct node *parent = n->parent, *above = parent->parent;
		int side = above->child[1] == parent;
		struct node *uncle = above->child[!side];

		if (uncle && uncle->red) {
			parent->red = uncle->red = false;
			above->red = true;
			n = above;
			continue;
		}
		if (n == parent->child[!side]) {
			rotate(root, parent, side);
			parent = n;
		}
		parent->red = false;
		above->red = true;
		rotate(root, above, !side);
		break;
	}
	(*root)->red = false;
}

static struct node *first_of(struct node *n)
{
	while (n && n->child[0])
		n = n->child[0];
	return n;
}

static struct node *next_of(struct node *n)
{
	if (n->child[1])
		return first_of(n->child[1]);
	while (n->parent && n->parent->child[1] == n)
		n = n->parent;
	return n->parent;
}

void tree_sort(void **at, size_t n, int (*order)(void *ctx, const void *a, const void *b),
	       void *ctx)
{
	struct node *nodes = mem_zero(n * sizeof(*nodes)), *root = NULL;
	size_t i = 0;

	for (; i < n; i++) {
		struct node *parent = NULL, **place = &root;

		while (*place) {
			parent = *place;
			place = &parent->child[order(ctx, at[i], parent->value) >= 0];
		}
		nodes[i] = (struct node){.parent = parent, .value = at[i], .red = true};
		*place = &nodes[i];
		balance(&root, &nodes[i]);
	}
	i = 0;
	for (struct node *node = first_of(root); node; node = next_of(node))
		at[i++] = node->value;
	free(nodes);
}
