/* SPDX-License-Identifier: MIT */
/* A histogram of times as lines with bars, or as rows for programs. */
#ifndef VIEW_DURATIONS_HISTOGRAM_H
#define VIEW_DURATIONS_HISTOGRAM_H

#include "analysis/durations/histogram.h"
#include "view/out/rows.h"

/* Appends a line for each range. Values are ns. */
void histogram_show(const struct histogram *h, enum histogram_scale scale, struct buf *out);
/* A table of that name, with a row for each range: from_ns, to_ns, count. */
void histogram_show_rows(const struct histogram *h, enum histogram_scale scale, const char *name,
			 struct rows *rows);

#endif
