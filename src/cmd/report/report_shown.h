/* SPDX-License-Identifier: MIT */
/* What a report's browser shows: tables of all samples, or of those that were read so far. */
#ifndef CMD_REPORT_SHOWN_H
#define CMD_REPORT_SHOWN_H

#include "cmd/options/command_words.h"
#include "cmd/report/report_reading.h"
#include "view/browser/hist.h"

#define REPORT_SHOWN_LEAST_NS 500000000u /* between two tables while samples are read */

/* The samples, and the table that is shown. */
struct report_shown {
	struct report_reading *reading;
	const struct config *config;
	struct table *table;
	struct samples *some; /* that the table is made of, while others are read; NULL: all */
	bool renews;	      /* the next table is of what was read since */
	bool made;	      /* the next table is made already */
	uint64_t due_ns;      /* when it is made */
};

/* A table of the instructions that were sampled; NULL: *err. */
struct table *report_code_table(const struct report_plan *plan, const struct recording *rec,
				const struct zoom *zoom, struct err *err);
/* For struct hist_source, with a struct report_shown as ctx. */
const struct table *report_shown_make(void *ctx, const struct table_options *opts, struct err *err);
int report_shown_code(void *ctx, struct hist *h, struct dso *dso, const struct symbol *sym,
		      struct err *err);
/* Takes what was read so far. True when there are samples that a table can be made of. */
bool report_shown_take_some(struct report_shown *b);
/* The table of what was read by now; the next one is due when this has cost a tenth of the time. */
int report_shown_renew(struct report_shown *b, struct hist *h, struct err *err);
/* The samples that tables are made of now. */
struct samples *report_shown_samples(const struct report_shown *b);
void report_shown_release(struct report_shown *b);

/* Lets one of the scripts be chosen, runs it on the recording's samples, or on those of the
 * selected row, and shows what it prints. */
void report_run_script(struct hist *h, const struct report_shown *b);
/* Adds what samples must keep to be told apart: --samples. */
void report_samples_ask(struct samples_options *wanted);
/* Lets one of the samples of an entry be chosen, and adds to w the options of perf script for it
 * and those around it. How its line is found, which w keeps; NULL: none was chosen, or a message
 * says why. */
const char *report_choose_sample(struct hist *h, const struct report_shown *b,
				 const struct entry *entry, struct command_words *w);

#endif
