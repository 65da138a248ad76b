/* SPDX-License-Identifier: MIT */
/* The output of `perf locks`. */
#ifndef VIEW_FUTEX_FUTEXES_H
#define VIEW_FUTEX_FUTEXES_H

#include "analysis/futex/futexes.h"
#include "view/out/rows.h"

struct futexes_view {
	struct out *out;
	struct world *world;
	uint32_t rows; /* at most */
	bool order;    /* show the order of locks in place of the waits */
};

/* An answer in a few lines, and the rows. */
void futexes_show(const struct futexes_view *v, const struct futexes *f);
/* The same rows for programs and web browsers; times in ns. */
void futexes_show_rows(const struct futexes_view *v, const struct futexes *f,
		       const struct rows_form *form);
void futexes_show_json(const struct futexes_view *v, const struct futexes *f);

#endif
