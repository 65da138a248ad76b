// SPDX-License-Identifier: MIT
#include "analysis/flame.h"

#include <string.h>

#define FINEST 100000 /* boxes in a row, at most */

void flame_release(struct flame *f)
{
	vec_release(&f->boxes);
}

/* Ranks frames by function; all code without names in a dso is one function. */
static uint32_t *rank_functions(const struct frames *frames)
{
	const uint32_t n = (uint32_t)frames->frames.n;
	uint32_t *ranks = calltree_ranks(frames, CALLTREE_BY_FUNCTION);

	/* ranks are less than n */
	for (uint32_t id = 0; id < n; id++) {
		const struct frame *frame = frames_at(frames, id);

		if (!frame->where->name && frame->where->dso)
			ranks[id] = n + (uint32_t)frame->where->dso->index;
	}
	return ranks;
}

/* Collects the table's chains with their weights, from the outermost caller on. The root gets the
 * periods of all samples, including those without a chain. */
static struct chain_hit *collect_hits(const struct table *table, size_t event,
				      struct flame_box *root, size_t *n)
{
	struct chain_hit *hits = mem_alloc((table->groups.n + 1) * sizeof(*hits));

	for (size_t i = 0; i < table->all.n; i++) {
		const struct entry *e = table->all.at[i];

		if (e->event != event || e->filtered)
			continue;
		root->period += e->self->period;
		root->samples += e->self->samples;
	}
	*n = 0;
	for (size_t i = 0; i < table->groups.n; i++) {
		const struct chain_group *g = &table->groups.at[i];
		const struct entry *e = table->all.at[g->entry];

		if (e->event == event && !e->filtered)
			hits[(*n)++] = (struct chain_hit){
				g->chain, chain_set_length(table->chains, g->chain) - 1, g->period,
				g->samples};
	}
	return hits;
}

/* A node of the tree that has no boxes yet. */
struct unboxed {
	const struct calltree_node *node;
	uint32_t parent;
	uint64_t start;
};
struct unboxed_nodes {
	VEC(struct unboxed) at;
};

/* Makes boxes of a node's frames, one below the other. Returns the index of the last. */
static uint32_t add_boxes(struct flame *f, const struct unboxed *u)
{
	uint32_t parent = u->parent;

	for (uint32_t i = 0; i < u->node->n_frames; i++) {
		const struct flame_box box = {.frame = calltree_frame(u->node, i),
					      .parent = parent,
					      .depth = f->boxes.at[parent].depth + 1,
					      .start = u->start,
					      .period = calltree_period(u->node),
					      .samples = calltree_count(u->node)};

		parent = (uint32_t)f->boxes.n;
		vec_add(&f->boxes, box);
	}
	return parent;
}

/* Adds a node's children to the list. Nodes are taken from its end, so the widest comes last. */
static void add_children(struct unboxed_nodes *todo, struct arena *arena,
			 const struct calltree_node *node, uint32_t parent, uint64_t start)
{
	const struct calltree_node **children;
	const size_t n = calltree_children(arena, node, 1, &children);
	struct unboxed *room = vec_extend(&todo->at, n);

	for (size_t i = 0; i < n; i++) {
		room[n - 1 - i] = (struct unboxed){children[i], parent, start};
		start += calltree_period(children[i]);
	}
}

/* Sets .end and .self of the boxes, once all of them exist. */
static void sum_boxes(struct flame *f)
{
	for (uint32_t i = (uint32_t)f->boxes.n; i-- > 0;) {
		struct flame_box *box = &f->boxes.at[i];
		struct flame_box *parent = &f->boxes.at[box->parent];

		box->end = MAX(box->end, i + 1);
		box->self += box->period; /* minus the periods of the boxes below, which were
					   * subtracted before */
		if (!i)
			break;
		parent->end = MAX(parent->end, box->end);
		parent->self -= box->period;
	}
}

void flame_make(struct flame *f, const struct table *table, size_t event)
{
	uint32_t *ranks = rank_functions(&table->samples->frames);
	struct flame_box root = {.frame = HASH_NONE};
	struct unboxed_nodes todo = {0};
	struct arena arena = {0};
	size_t n;
	struct chain_hit *hits = collect_hits(table, event, &root, &n);

	*f = (struct flame){0};
	vec_add(&f->boxes, root);
	add_children(&todo, &arena,
		     calltree_build(&arena, table->chains, ranks, ORDER_CALLER,
				    MAX(root.period / FINEST, 1u), hits, n),
		     0, 0);
	while (todo.at.n) {
		const struct unboxed next = todo.at.at[--todo.at.n];
		const uint32_t last = add_boxes(f, &next);

		add_children(&todo, &arena, next.node, last, next.start);
	}
	sum_boxes(f);
	vec_release(&todo.at);
	arena_release(&arena);
	free(hits);
	free(ranks);
}
