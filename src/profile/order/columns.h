/* SPDX-License-Identifier: MIT */
/*
 * What entries are compared by, as columns of numbers: made once, so that a comparison is one of
 * numbers in arrays instead of a walk to names and symbols. Keys whose comparison may contradict
 * itself have no such numbers: order.c then compares entries one by one.
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
	uint64_t *at; /* one an entry */
	enum order_kind kind;
};

struct order_columns {
	struct entry *const *entries;
	size_t n;
	VEC(struct order_column) columns;
};

void order_columns_init(struct order_columns *c, struct entry *const *entries, size_t n);
void order_columns_release(struct order_columns *c);
/* Leaves out columns from first on that are the same for all entries: they decide nothing. */
void order_columns_drop_equal(struct order_columns *c, size_t first);
/* Another column, to be filled. */
uint64_t *order_columns_add(struct order_columns *c, enum order_kind kind);
/* Later columns decide what earlier ones leave equal. */
void order_columns_sum(struct order_columns *c, enum sum sum);
void order_columns_children(struct order_columns *c, const struct table *table);
void order_columns_arrival(struct order_columns *c, const struct table *table);
/* A key's values in the order in which they are shown (sorted), or in that of the key itself.
 * False: they cannot be told by numbers. */
bool order_columns_key(struct order_columns *c, const struct table *table, int key, bool sorted);

/* Sorts indices of entries by the columns [first, end), equals as they stand: in the way of
 * tree_sort.h when one of these columns may contradict itself (sort.c). */
void order_columns_sort(const struct order_columns *c, size_t first, size_t end, uint32_t *at);
/* Does none of them? */
bool order_columns_agree(const struct order_columns *c, size_t first, size_t end);

#endif
