// SPDX-License-Identifier: MIT
/* Waits that were summed up in the kernel, as rows. */
#include "analysis/lock/locks.h"

static const char *lock_sum_name(struct locks *l, struct world *world, const struct lock_sum *s,
				 const struct locks_chain *c)
{
	const char *name;

	if (!l->opts->names_of_lock)
		return intern_text(&l->names, c->name);
	name = locks_symbol_of_lock(world, s->address);
	return *name || !s->part_of ? name : s->part_of;
}

void locks_add_sum(struct locks *l, struct world *world, const struct lock_sum *s)
{
	const uint32_t chain = locks_chain(l, world, MISC_KERNEL, s->frames, s->n_frames);
	const struct locks_chain *c = &l->of_chain.at[chain];
	uint64_t key = 0;
	struct locks_row *row;
	uint32_t i;

	if (l->opts->filter.callers.n && !c->wanted)
		return;
	switch (l->opts->by) {
	case LOCKS_BY_CALLER:
		key = c->key;
		break;
	case LOCKS_BY_TASK:
		key = (uint32_t)s->tid;
		break;
	case LOCKS_BY_ADDRESS:
		key = s->address;
		break;
	case LOCKS_BY_CGROUP:
		key = s->cgroup;
		break;
	}
	i = locks_find(l, key);
	if (i == HASH_NONE) {
		i = locks_add(l, key, lock_sum_name(l, world, s, c));
		l->rows.at[i].flags = s->flags;
		l->rows.at[i].address = s->address;
		l->rows.at[i].chain = chain;
	}
	row = &l->rows.at[i];
	row->value[LOCKS_ACQUIRED] += s->count;
	row->value[LOCKS_CONTENDED] += s->count;
	row->value[LOCKS_WAIT_TOTAL] += s->total_ns;
	row->value[LOCKS_WAIT_MAX] = MAX(row->value[LOCKS_WAIT_MAX], s->max_ns);
	row->value[LOCKS_WAIT_MIN] = MIN(row->value[LOCKS_WAIT_MIN], s->min_ns);
	if (row->value[LOCKS_CONTENDED])
		row->value[LOCKS_AVG_WAIT] =
			row->value[LOCKS_WAIT_TOTAL] / row->value[LOCKS_CONTENDED];
}
