// SPDX-License-Identifier: MIT
/* Node i + 1 of the tree is key i. Keys are sorted by address, then by the order in which symbols
 * were added, as the nodes of the tree are. */
#include "base/rbtree.h"
#include "symbol/table/elf_places.h"

#define AHEAD 8 /* places */

struct elf_tree {
	uint32_t root; /* a place; or HASH_NONE */
	struct {
		uint32_t child[2];
	} at[];
};

struct neighbours {
	uint32_t before, after; /* nodes */
};

struct growth {
	const struct elf_table *e;
	struct rb_tree tree;
	struct neighbours *list; /* by node; node 0 stands for both ends */
	uint32_t *nodes;	 /* by id; RB_NIL: the symbol is not used */
	bool *there;		 /* by node: it was added, and was not dropped yet */
	VEC(uint32_t) shared;	 /* places with more than one key */
};

/*
 * Finds the neighbours that each node of this round has when it is added. Starts with a list of all
 * nodes that are there at the end of the round, and removes the new nodes in reverse order.
 */
static void find_neighbours(struct growth *g, uint32_t first_id, uint32_t end_id)
{
	struct neighbours *list = g->list;
	uint32_t last = RB_NIL;

	for (uint32_t k = 0; k < g->e->n_keys; k++) {
		const uint32_t id = g->e->keys[k].id;

		if (!g->there[k + 1] && (id < first_id || id >= end_id))
			continue;
		list[last].after = k + 1;
		list[k + 1].before = last;
		last = k + 1;
	}
	list[last].after = RB_NIL;
	for (uint32_t id = end_id; id-- > first_id;) {
		const struct neighbours *n = &list[g->nodes[id]];

		if (g->nodes[id] == RB_NIL)
			continue;
		list[n->before].after = n->after;
		list[n->after].before = n->before;
	}
}

/* Adds the nodes of a round in the order of their table. */
static void add_round(struct growth *g, uint32_t first_id, uint32_t end_id)
{
	find_neighbours(g, first_id, end_id);
	for (uint32_t id = first_id; id < end_id; id++) {
		const uint32_t x = g->nodes[id];
		const struct neighbours n = g->list[x];

		if (x == RB_NIL)
			continue;
		if (n.before != RB_NIL && g->tree.at[n.before].child[1] == RB_NIL)
			rb_insert(&g->tree, x, n.before, 1);
		else
			rb_insert(&g->tree, x, n.after, 0);
		g->there[x] = true;
	}
}

/* Prefetches the symbols (names: their names) of a later place, which lie anywhere in the file. */
static void ask_ahead(const struct growth *g, size_t i, bool names)
{
	const struct elf_table *e = g->e;

	if (i >= g->shared.n)
		return;
	for (uint32_t k = place_first(e, g->shared.at[i]); k < place_first(e, g->shared.at[i] + 1);
	     k++) {
		const uint32_t id = e->keys[k].id;

		if (id < e->first_dynsym)
			elf_symbol_ahead(&e->symtab, id, names);
		else
			elf_symbol_ahead(&e->dynsym, id - e->first_dynsym, names);
	}
}

static void drop_at(struct growth *g, uint32_t place)
{
	const struct elf_table *e = g->e;
	struct symbol best_symbol = {0};
	uint32_t best = RB_NIL;

	for (uint32_t k = place_first(e, place); k < place_first(e, place + 1); k++) {
		uint32_t dropped = best;
		struct symbol s;

		if (!g->there[k + 1])
			continue;
		s = place_symbol_of(e, place, k);
		if (best != RB_NIL && symbol_better(&best_symbol, &s, e->shown, e->ctx)) {
			dropped = k + 1;
		} else {
			best = k + 1;
			best_symbol = s;
		}
		if (dropped != RB_NIL) {
			rb_erase(&g->tree, dropped);
			g->there[dropped] = false;
		}
	}
}

/* Drops all but the best symbol of each address. */
static void drop_others(struct growth *g)
{
	for (size_t i = 0; i < g->shared.n; i++) {
		ask_ahead(g, i + 2 * AHEAD, false);
		ask_ahead(g, i + AHEAD, true);
		drop_at(g, g->shared.at[i]);
	}
}

static struct elf_tree *elf_tree_by_place(const struct growth *g)
{
	const struct elf_table *e = g->e;
	struct elf_tree *tree = mem_alloc(sizeof(*tree) + e->n_places * sizeof(tree->at[0]));
	uint32_t *place = mem_alloc(((size_t)e->n_keys + 1) * sizeof(*place));

	place[RB_NIL] = HASH_NONE;
	for (uint32_t i = 0; i < e->n_places; i++)
		for (uint32_t k = place_first(e, i); k < place_first(e, i + 1); k++)
			place[k + 1] = i;
	tree->root = place[g->tree.root];
	for (uint32_t x = 1; x <= e->n_keys; x++)
		for (int side = 0; g->there[x] && side < 2; side++)
			tree->at[place[x]].child[side] = place[g->tree.at[x].child[side]];
	free(place);
	return tree;
}

struct elf_tree *elf_tree_new(const struct elf_table *e)
{
	const size_t n = (size_t)e->n_keys + 1;
	struct growth g = {.e = e, .tree.at = mem_zero(n * sizeof(*g.tree.at))};
	struct elf_tree *tree;

	g.list = mem_alloc(n * sizeof(*g.list));
	g.nodes = mem_zero(((size_t)e->n_ids + 1) * sizeof(*g.nodes));
	g.there = mem_zero(n * sizeof(*g.there));
	for (uint32_t k = 0; k < e->n_keys; k++)
		g.nodes[e->keys[k].id] = k + 1;
	for (uint32_t i = 0; i < e->n_places; i++)
		if (place_first(e, i + 1) - place_first(e, i) > 1)
			vec_add(&g.shared, i);
	add_round(&g, 0, e->first_dynsym);
	drop_others(&g);
	add_round(&g, e->first_dynsym, e->first_plt);
	drop_others(&g);
	add_round(&g, e->first_plt, e->n_ids);
	tree = elf_tree_by_place(&g);
	vec_release(&g.shared);
	free(g.there);
	free(g.nodes);
	free(g.list);
	free(g.tree.at);
	return tree;
}

void elf_tree_free(struct elf_tree *tree)
{
	free(tree);
}

const struct symbol *elf_tree_find(const struct elf_tree *tree, const struct symbol_table *t,
				   uint64_t address)
{
	const struct elf_place *places = t->elf->places;

	for (uint32_t i = tree->root; i != HASH_NONE;) {
		const bool after = address >= places[i].start;
		const struct symbol *s = after ? elf_table_at(t, i) : NULL;

		if (s && (address < s->end || address == s->start))
			return s;
		i = tree->at[i].child[after];
	}
	return NULL;
}
