/* SPDX-License-Identifier: MIT */
/* Reads a recording's samples: at once, or in a thread while a table of the samples so far is
 * shown. */
#ifndef CMD_REPORT_READING_H
#define CMD_REPORT_READING_H

#include "cmd/report/report_opts.h"
#include "base/baton.h"
#include "profile/samples/read.h"

struct report_reading {
	const struct report_opts *o;
	struct report_plan *plan;
	struct recording *rec;
	struct samples *samples; /* all of them, at the end */
	struct samples_reading how;
	/* with a thread */
	struct baton *baton; /* NULL: no thread is reading */
	double share;	     /* read in this pass, 0 to 1 */
	int got;
	struct err err;
};

/* Reads and settles all samples. 0, or -1 with *err. */
int report_read(struct report_reading *r, struct err *err);
/* Starts the reading thread. 0, or -1 with *err. */
int report_reading_begin(struct report_reading *r, struct err *err);
/* Waits for the thread's end, and settles the samples. 0, or -1 with *err: the thread's error. */
int report_reading_end(struct report_reading *r, struct err *err);
/* Stops the thread, if there is one, wherever it is. Its samples must not be used any more. */
void report_reading_stop(struct report_reading *r);
/* Adds a table's losses to the recording's ledger. */
void report_account(struct recording *rec, const struct table_losses *l);

#endif
