/* SPDX-License-Identifier: MIT */
/* Compared tables as text, in the layout of perf 6.1: a section for each event, a row for each
 * entry of the compared tables. */
#ifndef VIEW_DIFF_H
#define VIEW_DIFF_H

#include "analysis/diff.h"
#include "view/out/out.h"

struct diff_view {
	const struct diff_options *opts;
	const char *const *paths; /* of the recordings, one a profile of the diff */
	const char *separator;	  /* -t, or NULL */
	bool quiet;		  /* rows only */
	bool list_paths;	  /* even when there are only two */
	bool periods, formulas;
	bool block_history; /* with DIFF_CYCLES: how much the differences of blocks vary */
};

/* Shows one section; first: it is the first one. False when the reader has gone. */
bool diff_show(const struct diff_view *v, const struct diff *d, bool first, struct out *out);

/* -- for its browser: row by row -- */

/* The columns of a section. View and diff are borrowed. */
struct diff_table;
struct diff_table *diff_table_new(const struct diff_view *v, const struct diff *d);
void diff_table_free(struct diff_table *t); /* NULL: nothing */
DEFINE_AUTO(diff_table, diff_table_free)
/* Two lines and "#": the column headers, and dots below. */
void diff_table_show_headers(const struct diff_table *t, struct out *out);
/* The profile whose value stands in the column at this character of the headers; SIZE_MAX: that
 * column is a key's, or there is none. */
size_t diff_table_profile_at(const struct diff_table *t, size_t column);
/* One line, or with DIFF_CYCLES one for each block. */
void diff_table_show_row(const struct diff_table *t, const struct diff_row *row, struct out *out);

#endif
