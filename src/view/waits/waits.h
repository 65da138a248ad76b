/* SPDX-License-Identifier: MIT */
/* What `perf waits` shows. */
#ifndef VIEW_WAITS_WAITS_H
#define VIEW_WAITS_WAITS_H

#include "analysis/waits/waits.h"
#include "view/out.h"

struct waits_view {
	struct out *out;
	uint32_t rows; /* of each table at most */
};

/* A line: for how much of the time how many threads ran. Nothing when none ever did. */
void waits_show_running(const struct waits *w, struct buf *out);
/* An answer of about ten lines, the waits, the critical path, the threads. */
void waits_show(const struct waits_view *v, const struct waits *w);
/* A line for each row of waits, below one that names the columns; times in ns. */
void waits_show_csv(const struct waits_view *v, const struct waits *w, const char *separator);
void waits_show_json(const struct waits_view *v, const struct waits *w);

#endif
