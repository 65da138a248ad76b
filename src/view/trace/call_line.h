/* SPDX-License-Identifier: MIT */
/* One system call a line, as perf trace lays it out. */
#ifndef VIEW_TRACE_CALL_LINE_H
#define VIEW_TRACE_CALL_LINE_H

#include "analysis/calls/pair.h"
#include "view/trace/call_rows.h"

struct call_lines {
	struct call_style style;
	struct call_rows rows; /* CSV or JSON in place of lines */
	bool full_time; /* recorded times, not times since the first call */
	bool no_comm, no_pid;
	bool cpu;
	bool no_time, no_duration;
	uint64_t base_ns;   /* the first call's time; 0: no call yet */
	unsigned int align; /* column of the result after the beginning of the arguments */
};
#define CALL_LINES_ALIGN 70

/* Appends the time column and a blank. */
void call_time_show(const struct call_lines *l, uint64_t ns, struct buf *out);
void call_line_show(struct call_lines *l, const struct call *c, enum call_told what,
		    struct buf *out);

#endif
