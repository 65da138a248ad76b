/* SPDX-License-Identifier: MIT */
/*
 * Compares tables: an event of the first table (the baseline) has one row for each distinct entry
 * of any table, with a value for each other table.
 *
 *   diff_make -> rows, sorted -> diff_release
 *
 * Entries of different tables belong to one row when the identities of their keys are equal
 * (struct key, identity): names, not addresses, because a program that was built anew has its
 * functions elsewhere. The methods and the order of rows are those of perf-diff(1) of perf 6.1.
 */
#ifndef ANALYSIS_DIFF_H
#define ANALYSIS_DIFF_H

#include "analysis/diff_blocks.h"
#include "profile/table/table.h"

enum diff_method {
	DIFF_DELTA,
	DIFF_DELTA_ABS,
	DIFF_RATIO,
	DIFF_WEIGHTED,
	DIFF_CYCLES, /* of basic blocks: samples must keep them (struct samples_options) */
};

struct diff_options {
	enum diff_method method;
	int64_t weight_old, weight_new; /* of DIFF_WEIGHTED */
	size_t order;	    /* the table whose values sort the rows; 0: the baseline's periods */
	bool baseline_only; /* no rows for entries that the baseline lacks */
	bool confidence;    /* intervals for deltas; the last key of each table is then its time
			       slice */
};

/* The data of one table in a row. */
struct diff_cell {
	uint64_t period, samples;
	const struct entry *entry; /* the first of those that became one row */
	bool present;
	bool compared; /* .value is valid: DIFF_RATIO and DIFF_WEIGHTED need a baseline */
	double value;  /* percentage points, a ratio, or weighted periods; 0 in the baseline's own
			  cell */
	/* With confidence: 95 % of resampled deltas lie in [low, high]. */
	double low, high;
	VEC(struct diff_slice {
		uint32_t slice;
		uint64_t period;
	})
	slices;
	VEC(struct diff_block) blocks; /* with DIFF_CYCLES: see diff_blocks_compare() */
};

struct diff_row {
	const struct table *table; /* the first that has the row, whose entry shows its keys */
	const struct entry *entry;
	struct diff_cell *cells; /* one a table */
	bool in_baseline;
};

struct diff {
	const struct event *event;   /* of the baseline */
	const struct layout *layout; /* of the baseline: the other tables' differ in fields of
					tracepoints only */
	const struct table *const *tables; /* borrowed, as the array is */
	size_t n_tables;
	uint64_t *totals; /* periods that percentages are of, one a table; 0 where it lacks the
			     event */
	uint64_t baseline_total; /* that the baseline's column is of: with baseline_only of the rows
				    that stay */
	VEC(struct diff_row) rows;
	struct blocks *blocks; /* with DIFF_CYCLES: one a table */
	struct arena arena;
};

/* The event of the set with the type and configuration of ev, or NULL. */
const struct event *diff_match_event(const struct event_set *set, const struct event *ev);

/*
 * Compares the entries of the baseline's event (an index into its events) with those of the same
 * type and configuration in the other tables. tables[0] is the baseline; all are made, have
 * the same layout, and outlive the diff.
 */
void diff_make(struct diff *d, const struct table *const *tables, size_t n, size_t event,
	       const struct diff_options *opts);
void diff_release(struct diff *d);
/* With confidence: true when the interval contains 0, so that there may be no change. */
bool diff_cell_is_noise(const struct diff_cell *c);

#endif
