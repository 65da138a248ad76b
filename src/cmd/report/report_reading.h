/* SPDX-License-Identifier: MIT */
/* A recording's samples as they are read: at once, or by a thread while a table is shown of those
 * that were read so far. */
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
	/* while a thread reads */
	struct baton *baton; /* NULL: nothing is read */
	double share;	     /* that was read in this pass, 0 to 1 */
	int got;
	struct err err;
};

/* Reads all samples, which are settled then. 0, or -1 with *err. */
int report_read(struct report_reading *r, struct err *err);
/* Starts the thread. 0, or -1 with *err. */
int report_reading_begin(struct report_reading *r, struct err *err);
/* Waits for its end; samples are settled. 0, or -1 with *err: what reading ended with. */
int report_reading_end(struct report_reading *r, struct err *err);
/* Ends it wherever it is, if there is one: its samples are good for nothing any more. */
void report_reading_stop(struct report_reading *r);
/* Notes in the ledger what a table of all samples cannot vouch for. */
void report_account(struct recording *rec, const struct table_losses *l);

#endif
