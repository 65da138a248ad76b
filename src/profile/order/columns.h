/* SPDX-License-Identifier: MIT */
/*
 * The values that entries are compared by, as columns of numbers. They are made once, so that a
 * comparison reads numbers in arrays instead of following pointers to names and symbols. A key
 * whose comparison may be inconsistent (not transitive) has no such numbers: order.c then compares
 * entry by entry.
 */
#ifndef PROFILE_ORDER_COLUMNS_H
#define PROFILE_ORDER_COLUMNS_H

#include "profile/table/table.h"

enum order_kind {
	ORDER_NUMBER, /* the lesser comes first */
	ORDER_WITHIN, /* the lesser upper half comes first, between rows of equal lower halves
			 (threads) only */
	ORDER_WRAPS,  /* the one whose difference to the other is negative as a signed number */
};

struct order_column {
	uint64_t *at; /* by index of the entry */
	enum order_kind kind;
};

struct order_columns {
	struct entry *const *entries;
	size_t n;
	VEC(struct order_column) columns;
};

void order_columns_init(struct order_columns *c, struct entry *const *entries, size_t n);
void order_columns_release(struct order_columns *c);
/* Drops the columns from first on that hold one value for all entries. */
void order_columns_drop_equal(struct order_columns *c, size_t first);
/* Adds a column, which the caller fills. */
uint64_t *order_columns_add(struct order_columns *c, enum order_kind kind);
/* Adds columns for a sum, for --children, for the first samples. Later columns decide where earlier
 * ones are equal. */
void order_columns_sum(struct order_columns *c, enum sum sum);
void order_columns_children(struct order_columns *c, const struct table *table);
void order_columns_arrival(struct order_columns *c, const struct table *table);
/* Adds columns for a key, by key_sort (sorted) or by key_compare. False: no numbers give that
 * order. */
bool order_columns_key(struct order_columns *c, const struct table *table, int key, bool sorted);

/* Sorts indices of entries by the columns [first, end); equal entries keep their order. Where a
 * column's comparison may be inconsistent, the order is that of tree_sort.h. */
void order_columns_sort(const struct order_columns *c, size_t first, size_t end, uint32_t *at);
/* True when the comparisons of all these columns are consistent. */
bool order_columns_agree(const struct order_columns *c, size_t first, size_t end);

#endif
