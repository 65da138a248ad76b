/* SPDX-License-Identifier: MIT */
/* What `perf locks --preload` shows. */
#ifndef VIEW_FUTEX_LOCK_COUNTS_H
#define VIEW_FUTEX_LOCK_COUNTS_H

#include "analysis/futex/lock_counts.h"
#include "view/out.h"

struct lock_counts_view {
	struct out *out;
	uint32_t rows; /* at most */
};

/* An answer in a few lines, and the rows. */
void lock_counts_show(const struct lock_counts_view *v, const struct lock_counts *c);
/* A line for each row, below one that names the columns; times in ns. */
void lock_counts_show_csv(const struct lock_counts_view *v, const struct lock_counts *c,
			  const char *separator);
void lock_counts_show_json(const struct lock_counts_view *v, const struct lock_counts *c);

#endif
