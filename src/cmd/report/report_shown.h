/* SPDX-License-Identifier: MIT */
/* The tables of a report's browser: of all samples, or of the samples read so far. */
#ifndef CMD_REPORT_SHOWN_H
#define CMD_REPORT_SHOWN_H

#include "cmd/options/output/output_scripts.h"
#include "cmd/report/report_reading.h"
#include "view/browser/hist.h"

#define REPORT_SHOWN_LEAST_NS 500000000u /* between two tables while reading */

/* The samples, and the table that is shown. */
struct report_shown {
	struct report_reading *reading;
	const struct config *config;
	struct table *table;
	struct samples *some; /* samples so far, shown while reading; NULL: all */
	bool renews;	      /* the next table takes the samples read since the last one */
	bool made;	      /* the next table is made already */
	uint64_t due_ns;      /* when the next table is made, monotonic */
};

/* Callbacks of struct hist_source; ctx is a struct report_shown. */
const struct table *report_shown_make(void *ctx, const struct table_options *opts, struct err *err);
int report_shown_code(void *ctx, struct hist *h, struct dso *dso, const struct symbol *sym,
		      struct err *err);
/* Takes the samples read so far. True when there is one at least, so that a table can be made. */
bool report_shown_take_some(struct report_shown *b);
/* Shows a new table of the samples read so far. Sets .due_ns such that tables take a tenth of the
 * time. */
int report_shown_renew(struct report_shown *b, struct hist *h, struct err *err);
/* The samples that tables are made of now. */
struct samples *report_shown_samples(const struct report_shown *b);
void report_shown_release(struct report_shown *b);

/* What scripts read that the browser runs. */
struct output_scripts report_scripts(const struct report_shown *b);
/* Lets the user choose a script, runs it on all samples or on those of the selected row, and shows
 * its output. */
void report_run_script(struct hist *h, const struct report_shown *b);
/* --samples: adds the columns that tell single samples apart. */
void report_samples_ask(struct samples_options *wanted);
/* Lets the user choose one sample of an entry. Adds perf script's options for that sample and its
 * surroundings to w. Returns a text that finds the sample's line, owned by w. NULL: none was
 * chosen; errors were shown. */
const char *report_choose_sample(struct hist *h, const struct report_shown *b,
				 const struct entry *entry, struct command_words *w);

#endif
