/* SPDX-License-Identifier: MIT */
/* A report in the terminal browser. */
#ifndef CMD_REPORT_BROWSE_H
#define CMD_REPORT_BROWSE_H

#include "cmd/report/report_reading.h"
#include "view/browser/hist.h"

/* The browser's result: why it was left, and the user's answer. */
struct report_browsing {
	bool wanted; /* the report is shown in the browser */
	enum hist_end end;
	struct buf answer; /* what .end asks for: a file, keys */
	const struct config *config;
};

/* True when the output is a terminal that can show a browser, and no option asks for another
 * output. */
bool report_browses(const struct report_opts *o, const struct env *env);
/* Adds the columns that samples need for zooms, other keys and annotated code. */
void report_browse_ask(struct report_plan *plan, const struct recording *rec);
/* Reads the samples and browses their tables until the browser is left. When reading takes long, it
 * shows tables of the samples so far. 0, or -1 with *err. */
int report_browse(struct report_browsing *b, struct report_reading *reading, struct out *out,
		  struct err *err);
/* Calls report until the browser is left for good. The browser may ask for another recording or
 * other keys, which are then put into o. Returns the last status, or -1 with *err. */
typedef int report_recording_fn(struct env *env, const struct report_opts *o,
				struct report_browsing *b, struct err *err);
int report_browse_recordings(struct env *env, struct report_opts *o, report_recording_fn *report,
			     struct err *err);

#endif
