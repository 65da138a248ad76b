// SPDX-License-Identifier: MIT
/*
 * --hierarchy: entries below entries, with a level for each key (or group of keys in braces). The
 * entries of the table are the leaves. Above them, each level has an entry for all leaves with
 * equal keys up to that level.
 */
#include "profile/table/make.h"

struct grower {
	struct table *table;
	struct event_entries *ev;
	const uint8_t *levels; /* in order, of the keys sorted by */
	uint8_t n_levels;
	struct intern nodes;	 /* {the node above, values of this level} */
	VEC(struct entry *) all; /* by their id in nodes */
};

/* A tracepoint's field is a key of its own event only. */
static bool is_key_of(const struct table *table, const struct field *f, const struct event *ev)
{
	const struct key_use *use;

	if (f->key < 0 || f->hidden)
		return false;
	use = &table->layout.keys.at[f->key];
	return !(use->key->flags & KEY_TP_FIELD) || use->event == ev;
}

uint8_t table_levels(const struct table *table, const struct event *ev, uint8_t levels[UINT8_MAX])
{
	uint8_t n = 0;

	for (size_t i = 0; i < table->layout.sort.n; i++) {
		const struct field *f = &table->layout.sort.at[i];
		bool known = false;

		for (uint8_t k = 0; k < n; k++)
			known |= levels[k] == f->level;
		if (is_key_of(table, f, ev) && !known && n < UINT8_MAX - 1)
			levels[n++] = f->level;
	}
	return n;
}

/* The node for this leaf's values on that level, made if new, below above (NULL: on the first
 * level). */
static struct entry *node_of(struct grower *g, struct entry *above, uint32_t above_id,
			     struct entry *leaf, uint8_t depth, uint32_t *id)
{
	const struct layout *l = &g->table->layout;
	VEC(uint64_t) values = {0};
	struct entry *e;

	vec_add(&values, above_id);
	for (size_t i = 0; i < l->sort.n; i++)
		if (l->sort.at[i].key >= 0 && l->sort.at[i].level == g->levels[depth])
			vec_add(&values, leaf->values[l->sort.at[i].key]);
	*id = intern_put(&g->nodes, values.at, values.n * sizeof(*values.at));
	vec_release(&values);
	if (*id < g->all.n)
		return g->all.at[*id];
	if (depth + 1 == g->n_levels) {
		e = leaf;
	} else {
		e = entry_new(&g->table->entries, leaf->values, l->keys.n);
		e->first = leaf->first;
		e->event = leaf->event;
		e->filtered = FILTERED_PARENT; /* until a leaf below it is shown */
		vec_add(&g->table->all, e);
	}
	e->levels = arena_alloc(&g->table->arena, sizeof(*e->levels));
	e->levels->depth = depth;
	vec_add(&g->all, e);
	if (above)
		vec_add(&above->levels->below, e);
	else
		vec_add(&g->ev->roots, e);
	return e;
}

static void level_add(const struct grower *g, struct entry *above, const struct entry *leaf)
{
	entry_add_self(&g->table->arena, above, leaf->self,
		       g->table->layout.parts ? entry_parts(leaf) : NULL);
	above->total += leaf->total;
}

/* Adds the leaf's sums of the group's other events. */
static void add_members(struct grower *g, struct entry *above, const struct entry *leaf)
{
	uint32_t n = g->ev->event->members;

	if (!leaf->group)
		return;
	if (!above->group)
		above->group = arena_alloc(&g->table->arena, n * sizeof(*above->group));
	for (uint32_t i = 0; i < n; i++) {
		if (!leaf->group[i])
			continue;
		if (!above->group[i])
			above->group[i] = entry_new(&g->table->entries, leaf->group[i]->values,
						    g->table->layout.keys.n);
		level_add(g, above->group[i], leaf->group[i]);
	}
}

static void put_leaf(struct grower *g, struct entry *leaf)
{
	struct entry *above = NULL;
	uint32_t id = HASH_NONE;

	for (uint8_t depth = 0; depth < g->n_levels; depth++) {
		above = node_of(g, above, id, leaf, depth, &id);
		if (above == leaf)
			return;
		level_add(g, above, leaf);
		add_members(g, above, leaf);
		if (!leaf->filtered)
			above->filtered = 0;
	}
}

static void sort_below(const struct grower *g, struct entry **entries, size_t n)
{
	table_sort(g->table, g->ev->event, entries, n);
	for (size_t i = 0; i < n; i++)
		if (entries[i]->levels->below.n)
			sort_below(g, entries[i]->levels->below.at, entries[i]->levels->below.n);
}

void table_make_hierarchy(struct table *table, struct event_entries *ev)
{
	uint8_t levels[UINT8_MAX];
	struct grower g = {.table = table, .ev = ev, .levels = levels};

	g.n_levels = table_levels(table, ev->event, levels);
	if (!g.n_levels || !ev->entries.n)
		return;
	table_sort_by_keys(table, ev->entries.at, ev->entries.n);
	for (size_t i = 0; i < ev->entries.n; i++)
		put_leaf(&g, ev->entries.at[i]);
	sort_below(&g, ev->roots.at, ev->roots.n);
	intern_release(&g.nodes);
	vec_release(&g.all);
}
