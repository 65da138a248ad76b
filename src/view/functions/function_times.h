/* SPDX-License-Identifier: MIT */
/* Durations of kernel functions: perf ftrace latency and profile. */
#ifndef VIEW_FUNCTION_TIMES_H
#define VIEW_FUNCTION_TIMES_H

#include "analysis/functions/graph.h"

/* hide_empty: leave out rows without calls. */
void function_histogram_show(const struct duration_buckets *b, bool hide_empty, struct buf *out);
/* Shows the rows in the order of t. */
void function_rows_show(const struct graph_times *t, struct buf *out);

#endif
