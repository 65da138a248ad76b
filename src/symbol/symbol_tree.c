// SPDX-License-Identifier: MIT
/* The tree is the one of Cormen, Leiserson, Rivest and Stein, "Introduction to Algorithms", ch. 13:
 * node 0 is the sentinel, node i + 1 is the i-th symbol that came. */
#include "symbol/symbol_tree.h"

#define NIL  0u
#define LEFT 0

struct symbol_history {
	uint32_t n; /* symbols that ever came */
	VEC(struct step {
		uint32_t index;
		uint32_t erased_for; /* HASH_NONE: it came */
	})
	steps;
};

/* Small, for a tree of a large file to stay in the cache: rank is the place of the first symbol of
 * that start in the table, and compares as starts do. */
struct node {
	uint32_t rank, up, child[2];
	bool red;
};

struct growth {
	struct node *at;
	uint32_t root;
};

struct symbol_tree {
	uint32_t root;
	struct {
		uint32_t child[2];
	} at[]; /* by the symbol's place in the table; HASH_NONE */
};

struct symbol_history *symbol_history_new(void)
{
	return NEW(struct symbol_history);
}

void symbol_history_add(struct symbol_history *h, struct symbol_table *t, size_t first)
{
	for (size_t i = first; i < t->n; i++) {
		t->at[i].index = h->n++;
		vec_add(&h->steps, (struct step){t->at[i].index, HASH_NONE});
	}
}

void symbol_history_erase(struct symbol_history *h, uint32_t index, uint32_t for_index)
{
	vec_add(&h->steps, (struct step){index, for_index});
}

void symbol_history_free(struct symbol_history *h)
{
	if (!h)
		return;
	vec_release(&h->steps);
	free(h);
}

static int side_of(const struct growth *g, uint32_t x)
{
	return g->at[g->at[x].up].child[LEFT] != x;
}

/* Puts y where x hangs. */
static void replace(struct growth *g, uint32_t x, uint32_t y)
{
	uint32_t up = g->at[x].up;

	if (up == NIL)
		g->root = y;
	else
		g->at[up].child[side_of(g, x)] = y;
	g->at[y].up = up;
}

/* x goes down to that side, its other child takes its place. */
static void rotate(struct growth *g, uint32_t x, int side)
{
	uint32_t y = g->at[x].child[!side], inner = g->at[y].child[side];

	replace(g, x, y);
	g->at[x].child[!side] = inner;
	if (inner != NIL)
		g->at[inner].up = x;
	g->at[y].child[side] = x;
	g->at[x].up = y;
}

static void insert(struct growth *g, uint32_t x)
{
	struct node *n = g->at;
	uint32_t up = NIL;
	int side = LEFT;

	for (uint32_t i = g->root; i != NIL; i = n[i].child[side]) {
		up = i;
		side = n[x].rank >= n[i].rank;
	}
	n[x].up = up;
	n[x].red = true;
	if (up == NIL)
		g->root = x;
	else
		n[up].child[side] = x;
	while (n[n[x].up].red) {
		uint32_t top = n[n[x].up].up, uncle;

		side = side_of(g, n[x].up);
		uncle = n[top].child[!side];
		if (n[uncle].red) {
			n[n[x].up].red = n[uncle].red = false;
			n[top].red = true;
			x = top;
			continue;
		}
		if (side_of(g, x) != side) {
			x = n[x].up;
			rotate(g, x, side);
		}
		n[n[x].up].red = false;
		n[top].red = true;
		rotate(g, top, !side);
	}
	n[g->root].red = false;
}

/* A black node is gone above x: restores equal black heights. */
static void rebalance(struct growth *g, uint32_t x)
{
	struct node *n = g->at;

	while (x != g->root && !n[x].red) {
		uint32_t up = n[x].up, sibling;
		int side = side_of(g, x);

		sibling = n[up].child[!side];
		if (n[sibling].red) {
			n[sibling].red = false;
			n[up].red = true;
			rotate(g, up, side);
			sibling = n[up].child[!side];
		}
		if (!n[n[sibling].child[LEFT]].red && !n[n[sibling].child[!LEFT]].red) {
			n[sibling].red = true;
			x = up;
			continue;
		}
		if (!n[n[sibling].child[!side]].red) {
			n[n[sibling].child[side]].red = false;
			n[sibling].red = true;
			rotate(g, sibling, !side);
			sibling = n[up].child[!side];
		}
		n[sibling].red = n[up].red;
		n[up].red = false;
		n[n[sibling].child[!side]].red = false;
		rotate(g, up, side);
		x = g->root;
	}
	n[x].red = false;
}

static void erase(struct growth *g, uint32_t x)
{
	struct node *n = g->at;
	uint32_t moved, next;
	bool was_red = n[x].red;

	if (n[x].child[LEFT] == NIL || n[x].child[!LEFT] == NIL) {
		moved = n[x].child[n[x].child[LEFT] == NIL];
		replace(g, x, moved);
	} else {
		next = n[x].child[!LEFT];
		while (n[next].child[LEFT] != NIL)
			next = n[next].child[LEFT];
		was_red = n[next].red;
		moved = n[next].child[!LEFT];
		if (n[next].up == x) {
			n[moved].up = next; /* it may be the sentinel */
		} else {
			replace(g, next, moved);
			n[next].child[!LEFT] = n[x].child[!LEFT];
			n[n[next].child[!LEFT]].up = next;
		}
		replace(g, x, next);
		n[next].child[LEFT] = n[x].child[LEFT];
		n[n[next].child[LEFT]].up = next;
		n[next].red = n[x].red;
	}
	if (!was_red)
		rebalance(g, moved);
	n[NIL] = (struct node){0};
}

static void grow(struct growth *g, const struct symbol_history *h)
{
	for (size_t i = 0; i < h->steps.n; i++) {
		const struct step *step = &h->steps.at[i];

		if (step->erased_for == HASH_NONE)
			insert(g, step->index + 1);
		else
			erase(g, step->index + 1);
	}
}

/* What was dropped has the rank of what it was dropped for, which may have been dropped later. */
static void set_ranks(struct growth *g, const struct symbol_history *h,
		      const struct symbol_table *t)
{
	uint32_t rank = 0;

	for (size_t i = 0; i < t->n; i++) {
		if (i && t->at[i].start != t->at[i - 1].start)
			rank = (uint32_t)i;
		g->at[t->at[i].index + 1].rank = rank;
	}
	for (size_t i = h->steps.n; i-- > 0;) {
		const struct step *step = &h->steps.at[i];

		if (step->erased_for != HASH_NONE)
			g->at[step->index + 1].rank = g->at[step->erased_for + 1].rank;
	}
}

struct symbol_tree *symbol_tree_new(struct symbol_table *t)
{
	const struct symbol_history *h = t->history;
	const size_t n = h->n;
	struct growth g = {.at = mem_zero((n + 1) * sizeof(*g.at))};
	struct symbol_tree *tree = mem_alloc(sizeof(*tree) + t->n * sizeof(tree->at[0]));
	uint32_t *place = mem_alloc((n + 1) * sizeof(*place));

	set_ranks(&g, h, t);
	place[NIL] = HASH_NONE;
	for (size_t i = 0; i < t->n; i++)
		place[t->at[i].index + 1] = (uint32_t)i;
	grow(&g, h);
	tree->root = place[g.root];
	for (size_t i = 0; i < t->n; i++) {
		const struct node *node = &g.at[t->at[i].index + 1];

		tree->at[i].child[0] = place[node->child[0]];
		tree->at[i].child[1] = place[node->child[1]];
	}
	free(place);
	free(g.at);
	return tree;
}

const struct symbol *symbol_tree_find(const struct symbol_table *t, uint64_t address)
{
	for (uint32_t i = t->tree->root; i != HASH_NONE;) {
		const struct symbol *s = &t->at[i];

		if (address >= s->start && (address < s->end || address == s->start))
			return s;
		i = t->tree->at[i].child[address >= s->start];
	}
	return NULL;
}

void symbol_tree_free(struct symbol_tree *tree)
{
	free(tree);
}
