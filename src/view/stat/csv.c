// SPDX-License-Identifier: MIT
/* A row of counts as fields with a separator, and as an object of JSON. */
#include "view/stat/row.h"

#include <math.h>

/* Formats are constants of the analysis. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void label_fields(const struct stat_lines *l, const struct stat_row *row)
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

/* The number without what else stands in its format. */
static void metric_number(struct buf *b, const struct stat_metric *m)
{
	AUTO_BUF text = {0};
	size_t from = 0, to;

	buf_printf(&text, m->format, m->value);
	while (from < text.n && text.at[from] == ' ')
		from++;
	for (to = from; to < text.n && (strchr("0123456789.-", text.at[to]) != NULL);)
		to++;
	buf_add(b, text.at + from, to - from);
}

static void metrics_fields(const struct stat_lines *l, const struct stat_row *row)
{
	struct buf *b = &l->out->buf;
	const char *sep = l->view->separator;
	/* value, unit and event, the cgroup, and, as perf has it, the label's fields once more */
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
			label_fields(l, row);
			for (int k = 0; k < empty; k++)
				buf_str(b, sep);
		}
		buf_str(b, sep);
		if (m->format)
			metric_number(b, m);
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
	label_fields(l, row);
	if (row->state != STAT_COUNTED)
		buf_str(b, stat_missing(row));
	else
		buf_printf(b, "%.*f", stat_has_fraction(row->event) ? 2 : 0, row->value);
	buf_str(b, sep);
	buf_str(b, row->event->unit);
	buf_str(b, sep);
	buf_str(b, row->name);
	if (row->event->cgroup) {
		buf_str(b, sep);
		buf_str(b, row->event->cgroup);
	}
	if (l->view->runs > 1)
		buf_printf(b, "%s%.2f%%", sep, row->noise);
	buf_str(b, sep);
	buf_dec(b, (uint64_t)row->running);
	buf_printf(b, "%s%.2f", sep, floor(stat_running_percent(row)));
	metrics_fields(l, row);
	buf_char(b, '\n');
}

static void json_string(struct buf *b, const char *s)
{
	buf_char(b, '"');
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			buf_char(b, '\\');
		if (c < ' ')
			buf_printf(b, "\\u%04x", c);
		else
			buf_char(b, *s);
	}
	buf_char(b, '"');
}

static void json_label(const struct stat_lines *l, const struct stat_row *row)
{
	static const char *const keys[] = {
		[STAT_CPU] = "cpu",	[STAT_CORE] = "core",	  [STAT_CLUSTER] = "cluster",
		[STAT_CACHE] = "cache", [STAT_DIE] = "die",	  [STAT_SOCKET] = "socket",
		[STAT_NODE] = "node",	[STAT_THREAD] = "thread",
	};
	struct buf *b = &l->out->buf;
	AUTO_BUF text = {0};
	size_t number = stat_label(l->view, row, &text);

	if (l->view->aggr == STAT_GLOBAL)
		return;
	buf_printf(b, "\"%s\" : ", keys[l->view->aggr]);
	json_string(b, l->view->aggr == STAT_CPU ? buf_text(&text) + number : buf_text(&text));
	buf_str(b, ", ");
	if (stat_label_counts_cpus(l->view))
		buf_printf(b, "\"aggregate-number\" : %u, ", row->cpus);
}

static void json_metric(struct buf *b, const struct stat_metric *m)
{
	buf_printf(b, "\"metric-value\" : %f, \"metric-unit\" : ", isnan(m->value) ? 0 : m->value);
	json_string(b, m->unit);
}

void stat_json_row(const struct stat_lines *l, const struct stat_row *row)
{
	struct buf *b = &l->out->buf;

	buf_char(b, '{');
	buf_str(b, l->prefix);
	json_label(l, row);
	if (row->state != STAT_COUNTED)
		buf_printf(b, "\"counter-value\" : \"%s\", ", stat_missing(row));
	else
		buf_printf(b, "\"counter-value\" : \"%f\", ", row->value);
	buf_str(b, "\"unit\" : ");
	json_string(b, row->event->unit);
	buf_str(b, ", \"event\" : ");
	json_string(b, row->name);
	buf_str(b, ", ");
	if (row->event->cgroup) {
		buf_str(b, "\"cgroup\" : ");
		json_string(b, row->event->cgroup);
		buf_str(b, ", ");
	}
	if (l->view->runs > 1)
		buf_printf(b, "\"variance\" : %.2f, ", row->noise);
	buf_printf(b, "\"event-runtime\" : %.0f, \"pcnt-running\" : %.2f, ", row->running,
		   floor(stat_running_percent(row)));
	/* perf's word for a count with nothing to set beside it */
	if (!row->n_metrics)
		json_metric(b, &(struct stat_metric){.unit = row->state == STAT_COUNTED ? "(null)"
											: ""});
	for (size_t i = 0; i < row->n_metrics; i++) {
		if (i) {
			buf_str(b, "}\n{");
			buf_str(b, l->prefix);
			json_label(l, row);
		}
		json_metric(b, &row->metrics[i]);
	}
	buf_str(b, "}\n");
}
