/* SPDX-License-Identifier: MIT */
/* Samples of events between the calls, as perf trace lays them out: tracepoints, page faults,
 * others; with their call chains below. */
#ifndef VIEW_TRACE_EVENT_LINE_H
#define VIEW_TRACE_EVENT_LINE_H

#include "event/print/tp_text.h"
#include "view/script/script_frames.h"
#include "view/trace/call_line.h"

struct event_lines {
	struct call_lines *lines; /* how the calls are shown */
	struct world *world;
	const struct tp_formats *formats;
	struct script_frames frames; /* of .world; the caller initializes and releases it */
	struct tp_text *texts;	     /* not NULL: tracepoints by their own print format */
	bool calls;		     /* calls are shown, too: keep their duration column */
	bool chains;
	unsigned int min_stack; /* samples with fewer frames are not shown; 0: all are */
};

/* True for page-faults, major-faults and minor-faults. */
bool event_is_fault(const struct event *ev);
/* Appends the line without its time, then the chain; event_line_time() appends the time. False,
 * with nothing appended, when the chain is shorter than .min_stack. */
bool event_line_show(struct event_lines *l, const struct record *r, struct buf *out);
/* Appends the sample's call chain, a line for each frame. Returns the number of frames. */
unsigned int event_chain_show(struct event_lines *l, const struct record *r, struct buf *out);
void event_line_time(struct call_lines *l, uint64_t ns, struct buf *out);

#endif
