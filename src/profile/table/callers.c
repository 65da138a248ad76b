// SPDX-License-Identifier: MIT
/* The hits of entries by chains and, with --children, the entries of callers. */
#include "profile/table/make.h"

/* The context of a sample: the key values that all entries of its callers share, which are all but
 * those of frames. */
static uint32_t context_of(struct table_maker *m)
{
	const struct layout *l = &m->table->layout;

	for (size_t i = 0; i < l->keys.n; i++)
		if (l->keys.at[i].key->flags & KEY_FRAME)
			m->tuple[1 + i] = 0;
	return intern_put(&m->contexts, m->tuple, (l->keys.n + 1) * sizeof(*m->tuple));
}

static uint32_t caller_new(struct table_maker *m, const struct taken *t, const struct chain *c,
			   uint32_t from, uint32_t filtered)
{
	struct taken caller = *t;
	bool inwards = m->table->opts.caller_order;

	caller.in_chain = true;
	caller.frame = c->at[from];
	/* a frame in no map has the level of the nearest frame before it in the walk */
	for (uint32_t i = from; i < c->n; i += inwards ? 1 : -1u) {
		const struct map *map = table_frame(m->table, c->at[i])->where->map;

		if (!map)
			continue;
		caller.level = map->in_kernel ? 'k' : '.';
		break;
	}
	return table_entry_of(m, &caller, filtered);
}

static uint32_t *caller_of(struct table_maker *m, uint32_t context, uint32_t frame)
{
	struct callers *c = &m->callers;
	uint32_t *known;

	if (context < CONTEXTS_FIRST) {
		const uint32_t room = c->room[context], n = (uint32_t)m->samples->frames.frames.n;

		if (frame >= room) {
			uint32_t *more = mem_zero(n * sizeof(*more));

			if (room)
				memcpy(more, c->first[context], room * sizeof(*more));
			free(c->first[context]);
			c->first[context] = more;
			c->room[context] = n;
		}
		return &c->first[context][frame];
	}
	known = idmap_put(&c->others, (uint64_t)context << 32 | frame);
	if (*known == HASH_NONE)
		*known = 0;
	return known;
}

void callers_release(struct callers *c)
{
	for (size_t i = 0; i < CONTEXTS_FIRST; i++)
		free(c->first[i]);
	idmap_release(&c->others);
}

static void add_hit(struct table_maker *m, uint32_t entry, uint32_t group, uint32_t from)
{
	struct table *table = m->table;
	struct entry *e = table->all.at[entry];
	uint32_t depth = table->opts.caller_order ? from + 1 : m->chain.n - from;

	hits_add(&e->hits, group, from);
	m->seen_by.at[entry] = group + 1;
	e->max_depth = MAX(e->max_depth, depth);
}

/* With --children: adds a hit to the entry of each frame of the chain, once for a frame that
 * recurs. */
static void add_callers(struct table_maker *m, const struct taken *t, uint32_t group,
			uint32_t filtered)
{
	const struct table *table = m->table;
	const struct chain c = m->chain;
	const uint32_t context = context_of(m);

	for (uint32_t i = 0; i < c.n; i++) {
		uint32_t from = table->opts.caller_order ? c.n - 1 - i : i;
		uint32_t *known = caller_of(m, context, c.at[from]);

		if (!*known)
			*known = caller_new(m, t, &c, from, filtered) + 1;
		if (m->seen_by.at[*known - 1] != group + 1)
			add_hit(m, *known - 1, group, from);
	}
}

static uint64_t hash_of_pair(uint32_t entry, uint32_t chain)
{
	uint64_t x = ((uint64_t)entry << 32 | chain) * 0x9e3779b97f4a7c15u;

	return x ^ x >> 29;
}

static uint32_t find_group(const struct table_maker *m, uint32_t entry, uint32_t chain)
{
	const struct chain_group *groups = m->table->groups.at;
	const uint64_t hash = hash_of_pair(entry, chain);
	uint32_t i = id_slots_begin(&m->groups, hash), id;

	while ((id = id_slots_next(&m->groups, hash, &i)) != HASH_NONE)
		if (groups[id].entry == entry && groups[id].chain == chain)
			break;
	return id;
}

/* The hits of a group are added once, with its first sample. */
void table_add_chain(struct table_maker *m, const struct taken *t, uint32_t entry, uint32_t chain,
		     const struct weights *w, uint32_t filtered)
{
	struct table *table = m->table;
	uint32_t group = find_group(m, entry, chain);

	if (group != HASH_NONE) {
		table->groups.at[group].period += w->period;
		table->groups.at[group].samples += w->samples;
		return;
	}
	group = (uint32_t)table->groups.n;
	id_slots_add(&m->groups, group, hash_of_pair(entry, chain));
	vec_add(&table->groups, (struct chain_group){entry, chain, w->period, w->samples});
	add_hit(m, entry, group, table->opts.caller_order ? m->chain.n - 1 : 0);
	if (table->opts.children)
		add_callers(m, t, group, filtered);
}

void table_sum_callees(struct table *table)
{
	for (size_t id = 0; id < table->all.n && table->opts.children; id++) {
		struct entry *e = table->all.at[id];
		struct hits_walk w = hits_begin(&e->hits);

		while (hits_next(&e->hits, &w))
			if (table->groups.at[w.group].entry != id)
				e->total += table->groups.at[w.group].period;
	}
}
