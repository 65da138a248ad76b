// SPDX-License-Identifier: MIT
/* A row of counts in columns: prefix, label, value, unit, event, cgroup, ratio, noise, share. */
#include "view/stat/row.h"

enum {
	VALUE_WIDTH = 18,
	NAME_WIDTH = 32,
	MISSING_NAME_WIDTH = 25, /* narrower, as the row has no value */
	METRIC_WIDTH = 35,
	CONTINUED = 49, /* blanks before a ratio on a line of its own */
	CPUS_WIDTH = 4,
};

/* Appends a label. The table has the width of its last number, and of a whole label that perf 6.1
 * does not have. */
void stat_text_label(const struct stat_lines *l, const struct stat_row *row)
{
	static const struct {
		int number, whole, before;
	} widths[] = {
		[STAT_CPU] = {7, 0, 0},	   [STAT_CORE] = {8, 0, 0},    [STAT_CLUSTER] = {0, 20, 0},
		[STAT_CACHE] = {0, 22, 0}, [STAT_DIE] = {8, 0, 0},     [STAT_SOCKET] = {5, 0, 0},
		[STAT_NODE] = {5, 0, 0},   [STAT_THREAD] = {8, 0, 16},
	};
	const struct stat_view *v = l->view;
	struct buf *b = &l->out->buf;
	AUTO_BUF text = {0};
	size_t at = stat_label(v, row, &text);
	size_t number = (size_t)widths[v->aggr].number, whole = (size_t)widths[v->aggr].whole;
	size_t before = (size_t)widths[v->aggr].before;

	if (v->aggr == STAT_GLOBAL)
		return;
	if (stat_is_by_core(v, row))
		number = 3;
	if (at < before + 1)
		buf_fill(b, ' ', before + 1 - at);
	buf_add(b, text.at, text.n);
	whole = MAX(whole, at + number);
	if (text.n < whole)
		buf_fill(b, ' ', whole - text.n);
	buf_char(b, ' ');
	if (stat_label_counts_cpus(v)) {
		buf_dec_right(b, row->cpus, CPUS_WIDTH);
		buf_char(b, ' ');
	}
}

static void value(const struct stat_lines *l, const struct stat_row *row)
{
	struct buf *b = &l->out->buf;
	int decimals = stat_has_fraction(row->event) ? 2 : 0;

	if (row->state != STAT_COUNTED)
		buf_right(b, stat_missing(row), VALUE_WIDTH);
	else if (l->view->big_numbers)
		buf_printf(b, "%'*.*f", VALUE_WIDTH, decimals, row->value);
	else
		buf_printf(b, "%*.*f", VALUE_WIDTH, decimals, row->value);
}

static void metric(const struct stat_lines *l, const struct stat_metric *m)
{
	struct buf *b = &l->out->buf;
	AUTO_BUF text = {0};
	size_t used;

	if (!m->format) {
		buf_fill(b, ' ', METRIC_WIDTH);
		return;
	}
	stat_metric_text(m, &text);
	buf_str(b, " # ");
	stat_colour(l->out, m->judgement);
	buf_add(b, text.at, text.n);
	stat_colour(l->out, STAT_PLAIN);
	buf_char(b, ' ');
	used = strlen(" # ") + text.n + 1;
	buf_left(b, m->unit, used < METRIC_WIDTH ? METRIC_WIDTH - used : 0);
}

static void metrics(const struct stat_lines *l, const struct stat_row *row)
{
	struct buf *b = &l->out->buf;

	if (!row->n_metrics)
		buf_fill(b, ' ', METRIC_WIDTH);
	for (size_t i = 0; i < row->n_metrics; i++) {
		if (row->metrics[i].own_line) {
			buf_char(b, '\n');
			buf_str(b, l->prefix);
			stat_text_label(l, row);
			if (l->view->aggr == STAT_CPU)
				buf_fill(b, ' ', 8);
			buf_fill(b, ' ', CONTINUED);
		}
		metric(l, &row->metrics[i]);
	}
}

void stat_text_row(const struct stat_lines *l, const struct stat_row *row)
{
	struct buf *b = &l->out->buf;

	buf_str(b, l->prefix);
	stat_text_label(l, row);
	value(l, row);
	buf_char(b, ' ');
	buf_left(b, row->event->unit, (size_t)l->unit_width);
	buf_char(b, ' ');
	buf_left(b, row->name, row->state == STAT_COUNTED ? NAME_WIDTH : MISSING_NAME_WIDTH);
	if (l->cgroups) {
		buf_char(b, ' ');
		buf_str(b, stat_cgroup(row));
	}
	metrics(l, row);
	if (row->noise != 0)
		buf_printf(b, "  ( +-%6.2f%% )", row->noise);
	if (row->running != row->enabled)
		buf_printf(b, "  (%.2f%%)", stat_running_percent(row));
	buf_char(b, '\n');
}
