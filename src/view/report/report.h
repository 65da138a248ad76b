/* SPDX-License-Identifier: MIT */
/*
 * A table as text, as `report --stdio` prints it, in the layout of perf 6.1. Every event has a
 * heading, column headers and rows. A row may have a call tree below it.
 */
#ifndef VIEW_REPORT_H
#define VIEW_REPORT_H

#include "analysis/wall/wall.h"
#include "profile/table/calltree.h"
#include "profile/table/table.h"
#include "view/out/out.h"
#include "view/report/rows.h"

struct report_view {
	const struct table *table;
	const struct calltree_params *tree; /* NULL: no call trees */
	const char *separator;	 /* -t, or NULL */
	const char *sort, *fields; /* -s and -F as given, or NULL */
	const char *time_slices; /* --time, or NULL */
	uint64_t lost_samples;
	double percent_limit;	 /* rows below it are left out */
	const struct blocks *blocks; /* shown instead of rows, or NULL */
	uint64_t least_samples;	 /* rows with fewer are left out */
	bool quiet;		 /* rows only */
	bool skip_empty;	 /* events without samples are left out */
	bool memory;		 /* periods are weights */
	bool reference_callgraph;
	bool forced_group;	 /* the user made the group; the recording has no such group */
	const struct wall *wall; /* the wall-clock profile of these samples, or NULL */
	const char *memory_sort; /* sort keys of memory mode */
};

/* Shows all events, from "# Total Lost Samples" to the last row. False when the reader has gone. */
bool report_show(const struct report_view *v, struct out *out);

/* Shows only the rows of one event, as perf top does: at most max_rows entries (0: all), with lines
 * cut to max_width bytes (0: not cut). Lines of call trees are never cut. */
void report_rows(const struct report_view *v, const struct event_entries *ev, size_t max_rows,
		 size_t max_width, struct out *out);

/* -- for its parts, and other tables of entries -- */

/* Appends the value of a key's column. Names are escaped, and the separator (NULL: none) is
 * replaced in them. */
void report_key(const struct table *table, const struct entry *e, const struct field *f,
		unsigned int width, const char *separator, struct out *out);

/* The columns of an event's table, with their widths. */
struct report_table {
	const struct report_view *v;
	const struct event_entries *entries;
	unsigned int *widths; /* one for each column of the layout; 0: the column is not shown */
	bool *shown;
	struct rows rows; /* the columns that are shown, as text */
	const uint32_t *ranks; /* calltree_ranks() where there are call trees, or NULL */
	struct percent_text *percents; /* cache of PERCENT_TEXTS texts */
	struct arena arena;
};

/* Measures all entries of one event. The view and ranks are borrowed. */
void report_table_init(struct report_table *t, const struct report_view *v,
		       const struct event_entries *ev, const uint32_t *ranks);
void report_table_release(struct report_table *t);
/* Appends "Samples: 39  of event 'cycles'". Returns the sum of these samples' periods. */
uint64_t report_event_title(const struct report_view *v, const struct event_entries *ev,
			    struct buf *b);
void report_cell(const struct report_table *t, const struct entry *e, size_t column,
		 struct out *out);
/* The percentage that is compared with --percent-limit. */
double report_percent(const struct report_table *t, const struct entry *e);
bool report_has_tree(const struct report_table *t);
/* The same of one entry: false, too, when it has no chains, or all branches are below the least
 * period. */
bool report_entry_has_tree(const struct report_table *t, const struct entry *e);
/* Shows the call tree of an entry, if it has one. */
void report_tree(const struct report_table *t, const struct entry *e, int left_margin,
		 struct out *out);
/* Makes the call tree of an entry in the arena, without nodes below min_hit. */
struct calltree_node *report_tree_root(const struct report_table *t, const struct entry *e,
				       uint64_t min_hit, struct arena *arena);
/* The period that the branches of an entry's tree share. */
uint64_t report_tree_period(const struct report_table *t, const struct entry *e);
/* The least period of a branch that is shown. */
uint64_t report_tree_least(const struct report_table *t);
/* The same for report_tree_root(): 0 where a branch's share is that of its caller, or branches are
 * told apart by lines. */
uint64_t report_tree_made(const struct report_table *t);
/* Appends the name of a frame of a call tree. ctx: a struct report_table. */
void report_frame_name(void *ctx, uint32_t frame, struct buf *out);
/* --hierarchy: shows headers, and at most max_rows rows (0: all). */
void report_hierarchy(const struct report_table *t, size_t max_rows, struct out *out);
/* Scales a number of samples to the unit with the fewest digits: 1234 -> 1, 'K'. */
uint64_t report_unit(uint64_t n, char *unit);

#endif
