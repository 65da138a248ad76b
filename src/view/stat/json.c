// SPDX-License-Identifier: MIT
/* A row of counts as a JSON object; each further ratio is an object of its own. */
#include "view/stat/row.h"

#include <math.h>

void stat_json_string(struct buf *b, const char *s)
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

const char *stat_place_key(enum stat_aggr aggr)
{
	static const char *const keys[] = {
		[STAT_CPU] = "cpu",	[STAT_CORE] = "core",	  [STAT_CLUSTER] = "cluster",
		[STAT_CACHE] = "cache", [STAT_DIE] = "die",	  [STAT_SOCKET] = "socket",
		[STAT_NODE] = "node",	[STAT_THREAD] = "thread",
	};

	return keys[aggr];
}

void stat_json_label(const struct stat_lines *l, const struct stat_row *row)
{
	struct buf *b = &l->out->buf;
	AUTO_BUF text = {0};
	size_t number = stat_label(l->view, row, &text);
	enum stat_aggr aggr = stat_is_by_core(l->view, row) ? STAT_CORE : l->view->aggr;

	if (aggr == STAT_GLOBAL)
		return;
	buf_printf(b, "\"%s\" : ", stat_place_key(aggr));
	stat_json_string(b, aggr == STAT_CPU ? buf_text(&text) + number : buf_text(&text));
	buf_str(b, ", ");
	if (stat_label_counts_cpus(l->view))
		buf_printf(b, "\"aggregate-number\" : %u, ", row->cpus);
}

static void json_metric(struct buf *b, const struct stat_metric *m)
{
	buf_str(b, "\"metric-value\" : ");
	if (m->format && !isfinite(m->value))
		buf_str(b, "null");
	else
		buf_printf(b, "%f", m->format ? m->value : 0);
	buf_str(b, ", \"metric-unit\" : ");
	stat_json_string(b, m->unit);
	/* a member of later perfs */
	if (m->asked && m->judgement >= STAT_GOOD)
		buf_printf(b, ", \"metric-threshold\" : \"%s\"",
			   m->judgement == STAT_GOOD ? "good" : "bad");
}

void stat_json_row(const struct stat_lines *l, const struct stat_row *row)
{
	struct buf *b = &l->out->buf;

	buf_char(b, '{');
	buf_str(b, l->prefix);
	stat_json_label(l, row);
	if (row->state != STAT_COUNTED)
		buf_printf(b, "\"counter-value\" : \"%s\", ", stat_missing(row));
	else
		buf_printf(b, "\"counter-value\" : \"%f\", ", row->value);
	buf_str(b, "\"unit\" : ");
	stat_json_string(b, row->event->unit);
	buf_str(b, ", \"event\" : ");
	stat_json_string(b, row->name);
	buf_str(b, ", ");
	if (l->cgroups) {
		buf_str(b, "\"cgroup\" : ");
		stat_json_string(b, stat_cgroup(row));
		buf_str(b, ", ");
	}
	if (l->view->runs > 1)
		buf_printf(b, "\"variance\" : %.2f, ", row->noise);
	buf_printf(b, "\"event-runtime\" : %.0f, \"pcnt-running\" : %.2f, ", row->running,
		   floor(stat_running_percent(row)));
	/* perf's text for a count without a ratio */
	if (!row->n_metrics)
		json_metric(b, &(struct stat_metric){.unit = row->state == STAT_COUNTED ? "(null)"
											: ""});
	for (size_t i = 0; i < row->n_metrics; i++) {
		if (i) {
			buf_str(b, "}\n{");
			buf_str(b, l->prefix);
			stat_json_label(l, row);
		}
		json_metric(b, &row->metrics[i]);
	}
	buf_str(b, "}\n");
}
