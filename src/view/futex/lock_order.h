/* SPDX-License-Identifier: MIT */
/* The order of locks in the output of `perf locks`. */
#ifndef VIEW_FUTEX_LOCK_ORDER_H
#define VIEW_FUTEX_LOCK_ORDER_H

#include "analysis/futex/lock_order.h"
#include "view/out/rows.h"

/* "mutex 'name'"; its address where the name is NULL. */
void lock_name_text(const char *kind, const char *name, uint64_t address, struct buf *out);
/* Circles of orders, and how many there are that cannot close; nothing when there are none.
 * rows: circles at most. */
void lock_order_show_circles(const struct lock_order *o, uint32_t rows, struct buf *out);
/* A row for each two locks, rows at most. */
void lock_order_show(const struct lock_order *o, uint32_t rows, struct out *out);
/* A row for each two locks, rows at most. */
void lock_order_show_rows(const struct lock_order *o, uint32_t rows, const struct rows_form *form,
			  struct out *out);
/* The members "orders", rows at most, and "circles", whose steps are orders. */
void lock_order_json(struct json *j, const struct lock_order *o, uint32_t rows);

#endif
