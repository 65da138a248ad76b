// SPDX-License-Identifier: MIT
#include "profile/order/columns.h"

#define TOP (1ull << 63)

void order_columns_init(struct order_columns *c, struct entry *const *entries, size_t n)
{
	*c = (struct order_columns){.entries = entries, .n = n};
}

void order_columns_release(struct order_columns *c)
{
	for (size_t i = 0; i < c->columns.n; i++)
		free(c->columns.at[i].at);
	vec_release(&c->columns);
}

uint64_t *order_columns_add(struct order_columns *c, enum order_kind kind)
{
	vec_add(&c->columns, (struct order_column){mem_alloc(c->n * sizeof(uint64_t)), kind});
	return vec_last(&c->columns)->at;
}

static bool column_is_equal(const struct order_columns *c, const struct order_column *column)
{
	for (size_t i = 1; i < c->n; i++)
		if (column->at[i] != column->at[0])
			return false;
	return true;
}

void order_columns_drop_equal(struct order_columns *c, size_t first)
{
	size_t kept = first;

	for (size_t k = first; k < c->columns.n; k++) {
		if (column_is_equal(c, &c->columns.at[k]))
			free(c->columns.at[k].at);
		else
			c->columns.at[kept++] = c->columns.at[k];
	}
	c->columns.n = kept;
}

static uint64_t *add_column(struct order_columns *c)
{
	return order_columns_add(c, ORDER_NUMBER);
}

/* -- sums -- */

void order_columns_sum(struct order_columns *c, enum sum sum)
{
	uint64_t *at = add_column(c);

	for (size_t i = 0; i < c->n; i++)
		at[i] = ~entry_sum(c->entries[i], sum);
}

void order_columns_children(struct order_columns *c, const struct table *table)
{
	uint64_t *at = add_column(c);
	bool one_thread = true;

	for (size_t i = 0; i < c->n; i++) {
		at[i] = ~c->entries[i]->total;
		one_thread &= table_first(table, c->entries[i])->thread ==
			      table_first(table, c->entries[0])->thread;
	}
	if (!table->opts.chains)
		return;
	/* entries of one thread with the same sum: in caller order the deeper chain comes first */
	at = add_column(c);
	for (size_t i = 0; i < c->n; i++)
		at[i] = table->opts.caller_order ? ~c->entries[i]->max_depth
						 : c->entries[i]->max_depth;
	if (one_thread)
		return;
	vec_last(&c->columns)->kind = ORDER_WITHIN;
	for (size_t i = 0; i < c->n; i++)
		at[i] = at[i] << 32 | table_first(table, c->entries[i])->thread->index;
}

void order_columns_arrival(struct order_columns *c, const struct table *table)
{
	uint64_t *order = add_column(c), *seq = add_column(c);

	for (size_t i = 0; i < c->n; i++) {
		const struct cell *first = table_first(table, c->entries[i]);

		order[i] = first->order;
		seq[i] = first->seq;
	}
}

/* -- keys -- */

/* Numbers are compared by the sign of their difference, which is an order unless the difference
 * wraps. */
static void settle_numbers(struct order_columns *c)
{
	struct order_column *column = vec_last(&c->columns);
	bool wraps = false;

	for (size_t i = 0; i < c->n; i++)
		wraps |= (int64_t)column->at[i] > INT64_MAX / 2 ||
			 (int64_t)column->at[i] < INT64_MIN / 2;
	if (wraps)
		column->kind = ORDER_WRAPS;
	for (size_t i = 0; i < c->n && !wraps; i++)
		column->at[i] ^= TOP;
}

static void add_numbers(struct order_columns *c, const struct key_use *use)
{
	uint64_t *at = add_column(c);

	for (size_t i = 0; i < c->n; i++)
		at[i] = use->key->flags & KEY_DESCENDING ? -c->entries[i]->values[use->index]
							 : c->entries[i]->values[use->index];
	settle_numbers(c);
}

/* False: there are inlined functions, which compare by more than these columns. */
static bool add_symbols(struct order_columns *c, const struct table *table,
			const struct key_use *use)
{
	uint64_t *resolved = add_column(c), *at;

	for (size_t i = 0; i < c->n; i++) {
		resolved[i] = !frames_symbol(&table->samples->frames,
					     (uint32_t)c->entries[i]->values[use->index])
				       ->resolved;
		if (frames_symbol(&table->samples->frames,
				  (uint32_t)c->entries[i]->values[use->index])
			    ->resolved > 1)
			return false;
	}
	at = add_column(c);
	for (size_t i = 0; i < c->n; i++)
		at[i] = frames_symbol(&table->samples->frames,
				      (uint32_t)c->entries[i]->values[use->index])
				->start;
	settle_numbers(c);
	at = add_column(c);
	for (size_t i = 0; i < c->n; i++)
		at[i] = frames_symbol(&table->samples->frames,
				      (uint32_t)c->entries[i]->values[use->index])
				->end;
	settle_numbers(c);
	return true;
}

struct ranking {
	const struct table *table;
	const struct key_use *use;
};

static int by_rank(const void *x, const void *y, void *ctx)
{
	const struct ranking *r = ctx;

	return key_sort(r->table, r->use, *(const uint64_t *)x, *(const uint64_t *)y);
}

/* Adds a column of ranks: each different value is numbered in the order of key_sort, equal ones
 * alike. Symbols without a name come after all others. */
static void add_ranks(struct order_columns *c, const struct table *table, const struct key_use *use,
		      bool symbols)
{
	struct ranking ranking = {table, use};
	uint64_t *at = add_column(c);
	VEC(uint64_t) values = {0};
	struct idmap ranks = {0};
	uint32_t rank = 0;

	for (size_t i = 0; i < c->n; i++) {
		uint64_t v = c->entries[i]->values[use->index];
		uint32_t *known;

		if (symbols && !frames_symbol(&table->samples->frames, (uint32_t)v)->resolved)
			continue;
		known = idmap_put(&ranks, v);
		if (*known == HASH_NONE)
			vec_add(&values, v);
		*known = 0;
	}
	if (values.n) /* else there is no array */
		qsort_r(values.at, values.n, sizeof(*values.at), by_rank, &ranking);
	for (size_t i = 0; i < values.n; i++) {
		if (i && by_rank(&values.at[i - 1], &values.at[i], &ranking))
			rank++;
		*idmap_put(&ranks, values.at[i]) = rank;
	}
	for (size_t i = 0; i < c->n; i++) {
		uint64_t v = c->entries[i]->values[use->index];
		bool unnamed =
			symbols && !frames_symbol(&table->samples->frames, (uint32_t)v)->resolved;

		at[i] = unnamed ? HASH_NONE : idmap_find(&ranks, v);
	}
	idmap_release(&ranks);
	vec_release(&values);
}

bool order_columns_key(struct order_columns *c, const struct table *table, int key, bool sorted)
{
	const struct key_use *use = &table->layout.keys.at[key];
	unsigned int flags = use->key->flags;

	if (flags & KEY_SYMBOL && flags & KEY_FRAME) {
		/* unless dsos are a key, a comparison with a resolved symbol looks at dsos first */
		if (!sorted)
			return table->layout.flags & KEY_DSO && add_symbols(c, table, use);
		add_ranks(c, table, use, true);
	} else if (flags & KEY_ORDERED) {
		add_ranks(c, table, use, false);
	} else if (use->key->cmp || use->key->sort) {
		return false;
	} else {
		add_numbers(c, use);
	}
	return true;
}
