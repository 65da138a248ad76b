// SPDX-License-Identifier: MIT
/*
 * The order of entries. The reference keeps entries in a tree by the values of their keys while
 * samples come. Where a key collapses entries, it moves them into a second tree. Then it inserts
 * them into a third tree in the order of the report, an equal entry behind the earlier ones. Some
 * of its comparisons are inconsistent, so that the order depends on the tree's shape: each of these
 * trees is built here too.
 */
#include "profile/table/make.h"
#include "profile/order/columns.h"
#include "profile/order/tree_sort.h"

static bool in_group(const struct table *table, const struct event *ev)
{
	return table->opts.group && ev->members > 1;
}

static int by_member(const struct entry *a, const struct entry *b, enum sum sum, uint32_t i)
{
	uint64_t x = a->group && a->group[i] ? entry_sum(a->group[i], sum) : 0;
	uint64_t y = b->group && b->group[i] ? entry_sum(b->group[i], sum) : 0;

	return x == y ? 0 : x > y ? -1 : 1;
}

/* Compares the leader's sums, then the members'; with --group-sort-idx that member's sums, then all
 * members', never the leader's. */
static int by_sum(const struct table *table, const struct event *ev, const struct entry *a,
		  const struct entry *b, enum sum sum)
{
	uint32_t first = (uint32_t)MAX(table->opts.group_sort_index, 0);
	uint64_t x = entry_sum(a, sum), y = entry_sum(b, sum);
	int order = x == y ? 0 : x > y ? -1 : 1;

	if (!in_group(table, ev) || table->opts.leader_order)
		return order;
	if (first && first < ev->members)
		order = by_member(a, b, sum, first);
	for (uint32_t i = 1; i < ev->members && !order; i++)
		order = by_member(a, b, sum, i);
	return order;
}

/* Entries of one thread with the same sum: in caller order the deeper chain comes first. */
static int by_children(const struct table *table, const struct entry *a, const struct entry *b)
{
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	if (table_first(table, a)->thread != table_first(table, b)->thread || !table->opts.chains ||
	    a->max_depth == b->max_depth)
		return 0;
	return (a->max_depth > b->max_depth) == table->opts.caller_order ? -1 : 1;
}

static int by_field(const struct table *table, const struct event *ev, const struct field *f,
		    const struct entry *a, const struct entry *b)
{
	const struct key_use *use;

	if (f->key < 0)
		return f->sum == SUM_CHILDREN ? by_children(table, a, b)
					      : by_sum(table, ev, a, b, f->sum);
	use = &table->layout.keys.at[f->key];
	return key_sort(table, use, a->values[f->key], b->values[f->key]);
}

static int table_order(const struct table *table, const struct event *ev, const struct entry *a,
		  const struct entry *b)
{
	for (size_t i = 0; i < table->layout.sort.n; i++) {
		const struct field *f = &table->layout.sort.at[i];
		int order = f->hidden ? 0 : by_field(table, ev, f, a, b);

		if (order)
			return order;
	}
	return 0;
}

static int by_keys(const struct table *table, const struct event *ev, const struct entry *a,
		   const struct entry *b)
{
	(void)ev;
	for (size_t i = 0; i < table->layout.sort.n; i++) {
		int key = table->layout.sort.at[i].key, order;

		if (key < 0)
			continue;
		order = key_compare(table, &table->layout.keys.at[key], a->values[key],
				    b->values[key]);
		if (order)
			return order;
	}
	return 0;
}

typedef int order_fn(const struct table *, const struct event *, const struct entry *,
		     const struct entry *);

struct sorting {
	const struct table *table;
	const struct event *ev;
	order_fn *order;
};

static int compare(void *ctx, const void *a, const void *b)
{
	const struct sorting *s = ctx;

	return s->order(s->table, s->ev, a, b);
}

static void sort_with(const struct table *table, const struct event *ev, struct entry **entries,
		      size_t n, order_fn *order)
{
	struct sorting s = {table, ev, order};

	tree_sort((void **)entries, n, compare, &s);
}

static int by_arrival(const struct table *table, const struct event *ev, const struct entry *a,
		      const struct entry *b)
{
	const struct cell *x = table_first(table, a), *y = table_first(table, b);

	(void)ev;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

void table_sort_by_keys(const struct table *table, struct entry **entries, size_t n)
{
	sort_with(table, NULL, entries, n, by_arrival);
	sort_with(table, NULL, entries, n, by_keys);
	if (table->layout.flags & KEY_COLLAPSES)
		sort_with(table, NULL, entries, n, by_keys);
}

/* Adds the columns for the comparison of table_order. */
static bool add_shown(struct order_columns *c, const struct table *table)
{
	for (size_t i = 0; i < table->layout.sort.n; i++) {
		const struct field *f = &table->layout.sort.at[i];
		const size_t before = c->columns.n;

		if (f->hidden)
			continue;
		if (f->key >= 0 && !order_columns_key(c, table, f->key, true))
			return false;
		if (f->key < 0 && f->sum == SUM_CHILDREN)
			order_columns_children(c, table);
		else if (f->key < 0)
			order_columns_sum(c, f->sum);
		order_columns_drop_equal(c, before);
	}
	return true;
}

/* Adds the columns for the comparison of by_keys. */
static bool add_keys(struct order_columns *c, const struct table *table)
{
	for (size_t i = 0; i < table->layout.sort.n; i++) {
		const int key = table->layout.sort.at[i].key;
		const size_t before = c->columns.n;

		if (key < 0)
			continue;
		if (!order_columns_key(c, table, key, false))
			return false;
		order_columns_drop_equal(c, before);
	}
	return true;
}

/* Sorts by these columns and frees them, to make room for those of the next step. */
static void sort_by_step(struct order_columns *c, bool twice, uint32_t *order)
{
	order_columns_sort(c, 0, c->columns.n, order);
	if (twice && !order_columns_agree(c, 0, c->columns.n))
		order_columns_sort(c, 0, c->columns.n, order);
	order_columns_release(c);
}

/* Sorts as table_sort, by columns of numbers. False: there are none. */
static bool sort_by_columns(const struct table *table, const struct event *ev,
			    struct entry **entries, size_t n)
{
	struct order_columns c;
	struct entry **before;
	uint32_t *order;
	bool good = false;

	if (in_group(table, ev))
		return false;
	order = mem_alloc(n * sizeof(*order));
	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	order_columns_init(&c, entries, n);
	order_columns_arrival(&c, table);
	sort_by_step(&c, false, order);
	if (!add_keys(&c, table))
		goto out;
	sort_by_step(&c, table->layout.flags & KEY_COLLAPSES, order);
	if (!add_shown(&c, table))
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

void table_sort(const struct table *table, const struct event *ev, struct entry **entries,
		  size_t n)
{
	if (!n || sort_by_columns(table, ev, entries, n))
		return;
	table_sort_by_keys(table, entries, n);
	sort_with(table, ev, entries, n, table_order);
}
