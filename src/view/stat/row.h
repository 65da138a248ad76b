/* SPDX-License-Identifier: MIT */
/* How one row of counts is shown in each form: what the files of `stat`'s view share. */
#ifndef VIEW_STAT_ROW_H
#define VIEW_STAT_ROW_H

#include "view/stat/stat.h"

struct stat_lines {
	struct out *out;
	const struct stat_view *view;
	const char *prefix; /* in front of each line: the interval's time, "summary" */
	bool cgroups;	    /* some events are of a control group: all have a column for it */
	int unit_width;	    /* of text: the longest unit's */
};

void stat_text_row(const struct stat_lines *l, const struct stat_row *row);
void stat_csv_row(const struct stat_lines *l, const struct stat_row *row);
void stat_json_row(const struct stat_lines *l, const struct stat_row *row);
/* All rows, as one exposition. */
void stat_openmetrics(const struct stat_lines *l, const struct stat_row *rows, size_t n,
		      double elapsed_ns);
/* "cpu", "core", ...: what a row is about, but for STAT_GLOBAL. */
const char *stat_place_key(enum stat_aggr aggr);

/* --metric-only: the names of the columns, behind time (what stands above the intervals' times),
 * and the lines. */
void stat_table_heading(const struct stat_lines *l, const struct stat_row *rows, size_t n,
			const char *time);
void stat_table_rows(const struct stat_lines *l, const struct stat_row *rows, size_t n);

/* --iostat: the names of the columns, and the lines. */
void stat_ports_heading(const struct stat_lines *l);
void stat_ports_rows(const struct stat_lines *l, const struct stat_row *rows, size_t n);

/* The prefix and what the row is about, in the view's form. */
void stat_row_start(const struct stat_lines *l, const struct stat_row *row);
void stat_text_label(const struct stat_lines *l, const struct stat_row *row);
void stat_csv_label(const struct stat_lines *l, const struct stat_row *row);
void stat_json_label(const struct stat_lines *l, const struct stat_row *row);
void stat_json_string(struct buf *b, const char *s);

/* The number as text shows it, blanks and "%" included; and without them. It must have a format. */
void stat_metric_text(const struct stat_metric *m, struct buf *out);
void stat_metric_number(const struct stat_metric *m, struct buf *out);
/* The colour for what is judged so, or the end of it. Only where there are colours. */
void stat_colour(struct out *out, enum stat_judgement judgement);
/* What stands in that column. */
static inline const char *stat_cgroup(const struct stat_row *row)
{
	return row->event->cgroup ? row->event->cgroup : "";
}
/* "<not counted>" or "<not supported>" */
const char *stat_missing(const struct stat_row *row);
/* Share of the time in which the event counted. */
double stat_running_percent(const struct stat_row *row);
/* Can the event's values have a fraction? */
bool stat_has_fraction(const struct event *ev);
/* "S0-D0-C1", "N0", "perf-123": what a row is about; returns where its last number begins. */
size_t stat_label(const struct stat_view *v, const struct stat_row *row, struct buf *out);
/* With -A: does this row's event count by core, all the same? */
bool stat_is_by_core(const struct stat_view *v, const struct stat_row *row);
/* Does the number of CPUs stand beside the label? */
bool stat_label_counts_cpus(const struct stat_view *v);

#endif
