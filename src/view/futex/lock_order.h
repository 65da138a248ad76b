/* SPDX-License-Identifier: MIT */
/* The order of locks in the output of `perf locks`. */
#ifndef VIEW_FUTEX_LOCK_ORDER_H
#define VIEW_FUTEX_LOCK_ORDER_H

#include "analysis/futex/lock_order.h"
#include "view/out/json.h"
#include "view/out/out.h"

/* "mutex 'name'"; its address where the name is NULL. */
void lock_name_text(const char *kind, const char *name, uint64_t address, struct buf *out);
/* Circles of orders, and how many there are that cannot close; nothing when there are none.
 * rows: circles at most. */
void lock_order_show_circles(const struct lock_order *o, uint32_t rows, struct buf *out);
/* A row for each two locks, rows at most. */
void lock_order_show(const struct lock_order *o, uint32_t rows, struct out *out);
/* A line of column names, then a line for each two locks. */
void lock_order_show_csv(const struct lock_order *o, uint32_t rows, const char *separator,
			 struct out *out);
/* The members "orders", rows at most, and "circles", whose steps are orders. */
void lock_order_json(struct json *j, const struct lock_order *o, uint32_t rows);

#endif
