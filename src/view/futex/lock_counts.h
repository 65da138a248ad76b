/* SPDX-License-Identifier: MIT */
/* The output of `perf locks --preload`. */
#ifndef VIEW_FUTEX_LOCK_COUNTS_H
#define VIEW_FUTEX_LOCK_COUNTS_H

#include "analysis/futex/lock_counts.h"
#include "view/out/rows.h"

struct lock_counts_view {
	struct out *out;
	uint32_t rows; /* at most */
	bool order;    /* show the order of locks in place of the locks */
};

/* An answer in a few lines, and the rows. */
void lock_counts_show(const struct lock_counts_view *v, const struct lock_counts *c);
/* The same rows for programs and web browsers; times in ns. */
void lock_counts_show_rows(const struct lock_counts_view *v, const struct lock_counts *c,
			   const struct rows_form *form);
void lock_counts_show_json(const struct lock_counts_view *v, const struct lock_counts *c);

#endif
