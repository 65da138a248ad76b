/* SPDX-License-Identifier: MIT */
/* How one row of counts is shown in each form: what the files of `stat`'s view share. */
#ifndef VIEW_STAT_ROW_H
#define VIEW_STAT_ROW_H

#include "view/stat/stat.h"

struct stat_lines {
	struct out *out;
	const struct stat_view *view;
	const char *prefix; /* in front of each line: the interval's time, "summary" */
	int unit_width;	    /* of text: the longest unit's */
};

void stat_text_row(const struct stat_lines *l, const struct stat_row *row);
void stat_csv_row(const struct stat_lines *l, const struct stat_row *row);
void stat_json_row(const struct stat_lines *l, const struct stat_row *row);

/* "<not counted>" or "<not supported>" */
const char *stat_missing(const struct stat_row *row);
/* Share of the time in which the event counted. */
double stat_running_percent(const struct stat_row *row);
/* Can the event's values have a fraction? */
bool stat_has_fraction(const struct event *ev);
/* "S0-D0-C1", "N0", "perf-123": what a row is about; returns where its last number begins. */
size_t stat_label(const struct stat_view *v, const struct stat_row *row, struct buf *out);
/* Does the number of CPUs stand beside the label? */
bool stat_label_counts_cpus(const struct stat_view *v);

#endif
