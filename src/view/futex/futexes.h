/* SPDX-License-Identifier: MIT */
/* What `perf locks` shows. */
#ifndef VIEW_FUTEX_FUTEXES_H
#define VIEW_FUTEX_FUTEXES_H

#include "analysis/futex/futexes.h"
#include "view/out.h"

struct futexes_view {
	struct out *out;
	struct world *world;
	uint32_t rows; /* at most */
};

/* An answer in a few lines, and the rows. */
void futexes_show(const struct futexes_view *v, const struct futexes *f);
/* A line for each row, below one that names the columns; times in ns. */
void futexes_show_csv(const struct futexes_view *v, const struct futexes *f, const char *separator);
void futexes_show_json(const struct futexes_view *v, const struct futexes *f);

#endif
