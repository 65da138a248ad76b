// SPDX-License-Identifier: MIT
/* Node i + 1 of the tree is the i-th symbol that was added. Its key is small, so that the tree of a
 * large file stays in the cache. The key is the index of the first symbol with that start in the
 * table, which compares as the start does. */
#include "symbol/table/symbol_tree.h"

#include "base/rbtree.h"

struct symbol_history {
	uint32_t n; /* symbols that were ever added */
	VEC(struct step {
		uint32_t index;
		uint32_t erased_for; /* HASH_NONE: it was added */
	})
	steps;
};

struct symbol_tree {
	uint32_t root;
	struct {
		uint32_t child[2];
	} at[]; /* by the symbol's index in the table; or HASH_NONE */
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

/* A node's key is the rank of its symbol's start. */
static void insert(struct rb_tree *g, uint32_t x)
{
	uint32_t up = RB_NIL;
	int side = 0;

	for (uint32_t i = g->root; i != RB_NIL; i = g->at[i].child[side]) {
		up = i;
		side = g->at[x].key >= g->at[i].key;
	}
	rb_insert(g, x, up, side);
}

static void grow(struct rb_tree *g, const struct symbol_history *h)
{
	for (size_t i = 0; i < h->steps.n; i++) {
		const struct step *step = &h->steps.at[i];

		if (step->erased_for == HASH_NONE)
			insert(g, step->index + 1);
		else
			rb_erase(g, step->index + 1);
	}
}

/* A dropped symbol has the rank of the one that replaced it, which may have been dropped later. */
static void set_ranks(struct rb_tree *g, const struct symbol_history *h,
		      const struct symbol_table *t)
{
	uint32_t rank = 0;

	for (size_t i = 0; i < t->n; i++) {
		if (i && t->at[i].start != t->at[i - 1].start)
			rank = (uint32_t)i;
		g->at[t->at[i].index + 1].key = rank;
	}
	for (size_t i = h->steps.n; i-- > 0;) {
		const struct step *step = &h->steps.at[i];

		if (step->erased_for != HASH_NONE)
			g->at[step->index + 1].key = g->at[step->erased_for + 1].key;
	}
}

struct symbol_tree *symbol_tree_new(struct symbol_table *t)
{
	const struct symbol_history *h = t->history;
	const size_t n = h->n;
	struct rb_tree g = {.at = mem_zero((n + 1) * sizeof(*g.at))};
	struct symbol_tree *tree = mem_alloc(sizeof(*tree) + t->n * sizeof(tree->at[0]));
	uint32_t *place = mem_alloc((n + 1) * sizeof(*place));

	set_ranks(&g, h, t);
	place[RB_NIL] = HASH_NONE;
	for (size_t i = 0; i < t->n; i++)
		place[t->at[i].index + 1] = (uint32_t)i;
	grow(&g, h);
	tree->root = place[g.root];
	for (size_t i = 0; i < t->n; i++) {
		const struct rb_node *node = &g.at[t->at[i].index + 1];

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
