/* SPDX-License-Identifier: MIT */
/* Shows one row of counts in each form. Shared by the files of `stat`'s view. */
#ifndef VIEW_STAT_ROW_H
#define VIEW_STAT_ROW_H

#include "view/stat/stat.h"

struct stat_lines {
	struct out *out;
	const struct stat_view *view;
	const char *prefix; /* starts each line: the interval's time, or "summary" */
	bool cgroups;	    /* some events have a cgroup, so all rows have that column */
	int unit_width;	    /* of text rows: width of the longest unit */
};

void stat_text_row(const struct stat_lines *l, const struct stat_row *row);
void stat_csv_row(const struct stat_lines *l, const struct stat_row *row);
void stat_json_row(const struct stat_lines *l, const struct stat_row *row);
/* All rows, as one exposition. */
void stat_openmetrics(const struct stat_lines *l, const struct stat_row *rows, size_t n,
		      double elapsed_ns);
/* "cpu", "core", ...: the kind of place that rows are of; not for STAT_GLOBAL. */
const char *stat_place_key(enum stat_aggr aggr);

/* --metric-only: the column names, and the lines. time: the heading above the intervals' times. */
void stat_table_heading(const struct stat_lines *l, const struct stat_row *rows, size_t n,
			const char *time);
void stat_table_rows(const struct stat_lines *l, const struct stat_row *rows, size_t n);

/* --iostat: the column names, and the lines. */
void stat_ports_heading(const struct stat_lines *l);
void stat_ports_rows(const struct stat_lines *l, const struct stat_row *rows, size_t n);

/* Writes the prefix and the row's label, in the view's form. */
void stat_row_start(const struct stat_lines *l, const struct stat_row *row);
void stat_text_label(const struct stat_lines *l, const struct stat_row *row);
void stat_csv_label(const struct stat_lines *l, const struct stat_row *row);
void stat_json_label(const struct stat_lines *l, const struct stat_row *row);
void stat_json_string(struct buf *b, const char *s);

/* Appends a metric as text rows show it, with blanks and "%"; or only its number. The metric must
 * have a format. */
void stat_metric_text(const struct stat_metric *m, struct buf *out);
void stat_metric_number(const struct stat_metric *m, struct buf *out);
/* Sets the colour of a judgement, or ends it. Nothing when the output has no colours. */
void stat_colour(struct out *out, enum stat_judgement judgement);
/* The text of the cgroup column. */
static inline const char *stat_cgroup(const struct stat_row *row)
{
	return row->event->cgroup ? row->event->cgroup : "";
}
/* "<not counted>" or "<not supported>" */
const char *stat_missing(const struct stat_row *row);
/* The share of its enabled time in which the event counted, in percent. */
double stat_running_percent(const struct stat_row *row);
/* True when the event's values can have a fraction. */
bool stat_has_fraction(const struct event *ev);
/* Appends a row's label: "S0-D0-C1", "N0", "perf-123". Returns the position of its last number. */
size_t stat_label(const struct stat_view *v, const struct stat_row *row, struct buf *out);
/* True for a row of -A whose event counts by core nevertheless. */
bool stat_is_by_core(const struct stat_view *v, const struct stat_row *row);
/* True when the number of CPUs is shown beside the label. */
bool stat_label_counts_cpus(const struct stat_view *v);

#endif
