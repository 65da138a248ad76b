/* SPDX-License-Identifier: MIT */
/* The summary of system calls, as perf trace -s prints it. */
#ifndef VIEW_TRACE_CALL_SUMS_H
#define VIEW_TRACE_CALL_SUMS_H

#include "analysis/calls/sums.h"
#include "base/buf.h"

struct call_sums_style {
	bool runtime; /* how long threads were on a CPU */
	bool errors;   /* the errors of each call below it */
	bool total;    /* it has one row for all threads */
	uint64_t most; /* threads, or calls of a total, that are shown; 0: all */
};
/* The sums must be sorted. */
void call_sums_show(const struct call_sums *s, const struct call_sums_style *style,
		    struct buf *out);

#endif
