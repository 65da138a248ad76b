/* SPDX-License-Identifier: MIT */
/* How long functions of the kernel took: perf ftrace latency and profile. */
#ifndef VIEW_FUNCTION_TIMES_H
#define VIEW_FUNCTION_TIMES_H

#include "analysis/functions/graph.h"

/* hide_empty: only rows that have some. */
void function_histogram_show(const struct duration_buckets *b, bool hide_empty, struct buf *out);
/* The rows in their order. */
void function_rows_show(const struct graph_times *t, struct buf *out);

#endif
