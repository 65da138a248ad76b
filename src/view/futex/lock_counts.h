/* SPDX-License-Identifier: MIT */
/* The output of `perf locks --preload`. */
#ifndef VIEW_FUTEX_LOCK_COUNTS_H
#define VIEW_FUTEX_LOCK_COUNTS_H

#include "analysis/futex/lock_counts.h"
#include "view/out/out.h"

struct lock_counts_view {
	struct out *out;
	uint32_t rows; /* at most */
	bool order;    /* show the order of locks in place of the locks */
};

/* An answer in a few lines, and the rows. */
void lock_counts_show(const struct lock_counts_view *v, const struct lock_counts *c);
/* A line of column names, then a line for each row; times in ns. */
void lock_counts_show_csv(const struct lock_counts_view *v, const struct lock_counts *c,
			  const char *separator);
void lock_counts_show_json(const struct lock_counts_view *v, const struct lock_counts *c);

#endif
