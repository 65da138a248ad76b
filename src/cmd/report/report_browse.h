/* SPDX-License-Identifier: MIT */
/* A report in the browser. */
#ifndef CMD_REPORT_BROWSE_H
#define CMD_REPORT_BROWSE_H

#include "cmd/report/report_reading.h"
#include "view/browser/hist.h"

/* What the browser shows, and what it was left for. */
struct report_browsing {
	bool wanted; /* the report is browsed at all */
	enum hist_end end;
	struct buf answer; /* to .end */
	const struct config *config;
};

/* True when the report goes to a terminal that a browser can be on, and nothing else is asked for.
 */
bool report_browses(const struct report_opts *o, const struct env *env);
/* Adds what samples must keep for zooms, other keys and annotated code. */
void report_browse_ask(struct report_plan *plan, const struct recording *rec);
/* Reads the samples, and browses tables of them until the browser is left: when reading takes long,
 * of those that were read so far. 0, or -1 with *err. */
int report_browse(struct report_browsing *b, struct report_reading *reading, struct out *out,
		  struct err *err);
/* Has recordings reported until the browser is left for good: it may ask for another one, or for
 * other keys, which o then says. The last status, or -1 with *err. */
typedef int report_recording_fn(struct env *env, const struct report_opts *o,
				struct report_browsing *b, struct err *err);
int report_browse_recordings(struct env *env, struct report_opts *o, report_recording_fn *report,
			     struct err *err);

#endif
