// SPDX-License-Identifier: MIT
/*
 * The order of entries. The reference finds entries in a tree by their keys' values as samples come,
 * folds them into a second one where a key wants that, and inserts them from there into a third by
 * what is sorted by, equals behind equals. Not all of its comparisons agree with themselves, so each
 * of these trees is grown here too.
 */
#include "profile/fold.h"
#include "profile/order/columns.h"
#include "profile/order/tree_sort.h"

static bool in_group(const struct profile *p, const struct event *ev)
{
	return p->opts.group && ev->members > 1;
}

static int by_member(const struct entry *a, const struct entry *b, enum sum sum, uint32_t i)
{
	uint64_t x = a->group && a->group[i] ? entry_sum(a->group[i], sum) : 0;
	uint64_t y = b->group && b->group[i] ? entry_sum(b->group[i], sum) : 0;

	return x == y ? 0 : x > y ? -1 : 1;
}

/* By the leader's sum and then by the members'; with --group-sort-idx by that member's and then by
 * the other members', never by the leader's. */
static int by_sum(const struct profile *p, const struct event *ev, const struct entry *a,
		  const struct entry *b, enum sum sum)
{
	uint32_t first = (uint32_t)MAX(p->opts.group_sort_index, 0);
	uint64_t x = entry_sum(a, sum), y = entry_sum(b, sum);
	int order = x == y ? 0 : x > y ? -1 : 1;

	if (!in_group(p, ev))
		return order;
	if (first && first < ev->members)
		order = by_member(a, b, sum, first);
	for (uint32_t i = 1; i < ev->members && !order; i++)
		order = by_member(a, b, sum, i);
	return order;
}

/* Entries of one thread with the same sum: in caller order the deeper chain comes first. */
static int by_children(const struct profile *p, const struct entry *a, const struct entry *b)
{
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	if (a->first.at->thread != b->first.at->thread || !p->opts.chains || a->max_depth == b->max_depth)
		return 0;
	return (a->max_depth > b->max_depth) == p->opts.caller_order ? -1 : 1;
}

static int by_field(const struct profile *p, const struct event *ev, const struct field *f,
		    const struct entry *a, const struct entry *b)
{
	const struct key_use *use;

	if (f->key < 0)
		return f->sum == SUM_CHILDREN ? by_children(p, a, b) : by_sum(p, ev, a, b, f->sum);
	use = &p->layout.keys.at[f->key];
	return key_sort(p, use, a->values[f->key], b->values[f->key]);
}

int profile_order(const struct profile *p, const struct event *ev, const struct entry *a,
		  const struct entry *b)
{
	for (size_t i = 0; i < p->layout.sort.n; i++) {
		const struct field *f = &p->layout.sort.at[i];
		int order = f->hidden ? 0 : by_field(p, ev, f, a, b);

		if (order)
			return order;
	}
	return 0;
}

static int by_keys(const struct profile *p, const struct event *ev, const struct entry *a,
		   const struct entry *b)
{
	(void)ev;
	for (size_t i = 0; i < p->layout.sort.n; i++) {
		int key = p->layout.sort.at[i].key, order;

		if (key < 0)
			continue;
		order = key_compare(p, &p->layout.keys.at[key], a->values[key], b->values[key]);
		if (order)
			return order;
	}
	return 0;
}

typedef int order_fn(const struct profile *, const struct event *, const struct entry *,
		     const struct entry *);

struct sorting {
	const struct profile *p;
	const struct event *ev;
	order_fn *order;
};

static int compare(void *ctx, const void *a, const void *b)
{
	const struct sorting *s = ctx;

	return s->order(s->p, s->ev, a, b);
}

static void sort_with(const struct profile *p, const struct event *ev, struct entry **entries,
		      size_t n, order_fn *order)
{
	struct sorting s = {p, ev, order};

	tree_sort((void **)entries, n, compare, &s);
}

static int by_arrival(const struct profile *p, const struct event *ev, const struct entry *a,
		      const struct entry *b)
{
	(void)p;
	(void)ev;
	if (a->first.at->order != b->first.at->order)
		return a->first.at->order < b->first.at->order ? -1 : 1;
	return a->first.at->seq < b->first.at->seq ? -1 : a->first.at->seq > b->first.at->seq;
}

void profile_sort_by_keys(const struct profile *p, struct entry **entries, size_t n)
{
	sort_with(p, NULL, entries, n, by_arrival);
	sort_with(p, NULL, entries, n, by_keys);
	if (p->layout.flags & KEY_COLLAPSES)
		sort_with(p, NULL, entries, n, by_keys);
}

/* What profile_order looks at. */
static bool add_shown(struct order_columns *c, const struct profile *p)
{
	for (size_t i = 0; i < p->layout.sort.n; i++) {
		const struct field *f = &p->layout.sort.at[i];

		if (f->hidden)
			continue;
		if (f->key >= 0 && !order_columns_key(c, p, f->key, true))
			return false;
		if (f->key < 0 && f->sum == SUM_CHILDREN)
			order_columns_children(c, p);
		else if (f->key < 0)
			order_columns_sum(c, f->sum);
	}
	return true;
}

/* What by_keys looks at. */
static bool add_keys(struct order_columns *c, const struct profile *p)
{
	for (size_t i = 0; i < p->layout.sort.n; i++)
		if (p->layout.sort.at[i].key >= 0 &&
		    !order_columns_key(c, p, p->layout.sort.at[i].key, false))
			return false;
	return true;
}

/* Sorts by these columns, which are gone then: those of the next step need the room. */
static void sort_by_step(struct order_columns *c, bool twice, uint32_t *order)
{
	order_columns_sort(c, 0, c->columns.n, order);
	if (twice && !order_columns_agree(c, 0, c->columns.n))
		order_columns_sort(c, 0, c->columns.n, order);
	order_columns_release(c);
}

/* The same order by columns of numbers; false where there are none. */
static bool sort_by_columns(const struct profile *p, const struct event *ev, struct entry **entries, size_t n)
{
	struct order_columns c;
	struct entry **before;
	uint32_t *order;
	bool good = false;

	if (in_group(p, ev))
		return false;
	order = mem_alloc(n * sizeof(*order));
	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	order_columns_init(&c, entries, n);
	order_columns_arrival(&c);
	sort_by_step(&c, false, order);
	if (!add_keys(&c, p))
		goto out;
	sort_by_step(&c, p->layout.flags & KEY_COLLAPSES, order);
	if (!add_shown(&c, p))
		goto out;
	sort_by_step(&c, false, order);
	before = mem_alloc(n * sizeof(*before));
	memcpy(before, entries, n * sizeof(*before));
	for (size_t i = 0; i < n; i++)
		entries[i] = before[order[i]];
	free(before);
	good = true;
out:
	order_columns_release(&c);
	free(order);
	return good;
}

void profile_sort(const struct profile *p, const struct event *ev, struct entry **entries,
		  size_t n)
{
	if (!n || sort_by_columns(p, ev, entries, n))
		return;
	profile_sort_by_keys(p, entries, n);
	sort_with(p, ev, entries, n, profile_order);
}

/* -- groups -- */

/* Every member's entries beside the leader's that have the same values; where the leader has none,
 * an entry of nothing stands for it. */
static void link_member(struct profile *p, const struct event *leader, const struct event *member,
			struct intern *leaders)
{
	struct event_entries *to = &p->events.at[leader->index];
	struct event_entries *from = &p->events.at[member->index];
	size_t values = p->layout.keys.n * sizeof(uint64_t);

	for (size_t i = 0; i < from->entries.n; i++) {
		struct entry *e = from->entries.at[i], *twin;
		uint32_t id = intern_put(leaders, e->values, values);

		if (id == to->entries.n) {
			twin = entry_new(&p->entries);
			twin->values = e->values;
			twin->first = e->first;
			twin->filtered = e->filtered;
			twin->event = leader->index;
			vec_add(&to->entries, twin);
		}
		twin = to->entries.at[id];
		if (!twin->group)
			twin->group = arena_alloc(&p->arena,
						  leader->members * sizeof(*twin->group));
		twin->group[member->index - leader->index] = e;
	}
}

static void link_group(struct profile *p, const struct event *leader)
{
	struct event_entries *ev = &p->events.at[leader->index];
	size_t values = p->layout.keys.n * sizeof(uint64_t);
	struct intern leaders = {0};

	for (size_t i = 0; i < ev->entries.n; i++)
		intern_put(&leaders, ev->entries.at[i]->values, values);
	for (uint32_t i = leader->index + 1; i < leader->index + leader->members; i++)
		if (i < p->events.n)
			link_member(p, leader, p->m->events.events.at[i], &leaders);
	intern_release(&leaders);
}

void profile_fold(struct profile *p)
{
	profile_make_entries(p);
	for (size_t i = 0; i < p->events.n && p->opts.group; i++)
		if (event_is_leader(p->events.at[i].event) && p->events.at[i].event->members > 1)
			link_group(p, p->events.at[i].event);
	for (size_t i = 0; i < p->events.n; i++) {
		struct event_entries *ev = &p->events.at[i];

		if (p->opts.layout.hierarchy)
			profile_make_hierarchy(p, ev);
		else
			profile_sort(p, ev->event, ev->entries.at, ev->entries.n);
	}
}
