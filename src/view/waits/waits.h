/* SPDX-License-Identifier: MIT */
/* The output of `perf waits`. */
#ifndef VIEW_WAITS_WAITS_H
#define VIEW_WAITS_WAITS_H

#include "analysis/waits/waits.h"
#include "view/out/rows.h"

struct waits_view {
	struct out *out;
	uint32_t rows; /* of each table at most */
};

/* Shows one line: the share of the time for each number of running threads. Nothing when no thread
 * ever ran. */
void waits_show_running(const struct waits *w, struct buf *out);
/* Shows an answer of about ten lines, the waits, the critical path, the threads. */
void waits_show(const struct waits_view *v, const struct waits *w);
/* The rows of waits for programs; on a page the critical path and the threads, too. Times in ns. */
void waits_show_rows(const struct waits_view *v, const struct waits *w,
		     const struct rows_form *form);
void waits_show_json(const struct waits_view *v, const struct waits *w);

#endif
