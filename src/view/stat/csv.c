// SPDX-License-Identifier: MIT
/* A row of counts as fields with a separator. */
#include "view/stat/row.h"

#include <math.h>

void stat_csv_label(const struct stat_lines *l, const struct stat_row *row)
{
	struct buf *b = &l->out->buf;

	stat_label(l->view, row, b);
	if (l->view->aggr != STAT_GLOBAL)
		buf_str(b, l->view->separator);
	if (stat_label_counts_cpus(l->view)) {
		buf_dec(b, row->cpus);
		buf_str(b, l->view->separator);
	}
}

static void metrics_fields(const struct stat_lines *l, const struct stat_row *row)
{
	struct buf *b = &l->out->buf;
	const char *sep = l->view->separator;
	/* value, unit, event and cgroup; and the label's fields once more, as in perf */
	int empty = 3 + (row->event->cgroup != NULL) + (l->view->aggr != STAT_GLOBAL) +
		    (stat_label_counts_cpus(l->view) && l->view->aggr != STAT_NODE);

	if (!row->n_metrics) {
		buf_str(b, sep);
		buf_str(b, sep);
	}
	for (size_t i = 0; i < row->n_metrics; i++) {
		const struct stat_metric *m = &row->metrics[i];

		if (m->own_line) {
			buf_char(b, '\n');
			buf_str(b, l->prefix);
			stat_csv_label(l, row);
			for (int k = 0; k < empty; k++)
				buf_str(b, sep);
		}
		buf_str(b, sep);
		if (m->format)
			stat_metric_number(m, b);
		buf_str(b, sep);
		if (m->format)
			buf_str(b, m->unit);
	}
}

void stat_csv_row(const struct stat_lines *l, const struct stat_row *row)
{
	struct buf *b = &l->out->buf;
	const char *sep = l->view->separator;

	buf_str(b, l->prefix);
	stat_csv_label(l, row);
	if (row->state != STAT_COUNTED)
		buf_str(b, stat_missing(row));
	else
		buf_printf(b, "%.*f", stat_has_fraction(row->event) ? 2 : 0, row->value);
	buf_str(b, sep);
	buf_str(b, row->event->unit);
	buf_str(b, sep);
	buf_str(b, row->name);
	if (l->cgroups) {
		buf_str(b, sep);
		buf_str(b, stat_cgroup(row));
	}
	if (l->view->runs > 1)
		buf_printf(b, "%s%.2f%%", sep, row->noise);
	buf_str(b, sep);
	buf_dec(b, (uint64_t)row->running);
	buf_printf(b, "%s%.2f", sep, floor(stat_running_percent(row)));
	metrics_fields(l, row);
	buf_char(b, '\n');
}
