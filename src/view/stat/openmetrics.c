// SPDX-License-Identifier: MIT
/*
 * Counts as an OpenMetrics exposition. Source:
 * https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md.
 */
#include "view/stat/row.h"

#include <math.h>
#include <string.h>

static const struct {
	const char *name, *help;
} families[] = {
	{"perf_stat_events", "Events counted: in the interval, or in all."},
	{"perf_stat_running_ratio", "Share of the time in which the event had a counter."},
	{"perf_stat_metric", "What is calculated of counts."},
	{"perf_stat_elapsed_seconds", "Time that the counts are of."},
};
enum { FAMILY_EVENTS, FAMILY_RUNNING, FAMILY_METRIC, FAMILY_ELAPSED };

/* Events with the same name and cgroup would have the same labels, so all but the first get a
 * number. */
struct metrics {
	const struct stat_lines *l;
	struct idmap number; /* event -> 1 for the first one of its name */
};

static void metrics_init(struct metrics *m, const struct stat_lines *l, const struct stat_row *rows,
			 size_t n)
{
	struct intern names = {0};
	VEC(uint32_t) seen = {0};

	*m = (struct metrics){.l = l};
	for (size_t i = 0; i < n; i++) {
		uint32_t *number = idmap_put(&m->number, (uintptr_t)rows[i].event), name;
		AUTO_BUF key = {0};

		if (*number != HASH_NONE)
			continue;
		buf_printf(&key, "%s\n%s", rows[i].name, stat_cgroup(&rows[i]));
		name = intern_put(&names, key.at, key.n);
		if (name == seen.n)
			vec_add(&seen, 0);
		*number = ++seen.at[name];
	}
	intern_release(&names);
	vec_release(&seen);
}

static void metrics_family(struct buf *b, size_t family)
{
	buf_printf(b, "# TYPE %s gauge\n# HELP %s %s\n", families[family].name,
		   families[family].name, families[family].help);
}

static void metrics_label(struct buf *b, const char *name, const char *value)
{
	buf_str(b, b->n && b->at[b->n - 1] == '{' ? "" : ",");
	buf_str(b, name);
	buf_str(b, "=\"");
	for (; *value; value++) {
		if (*value == '"' || *value == '\\')
			buf_char(b, '\\');
		if (*value == '\n')
			buf_str(b, "\\n");
		else
			buf_char(b, *value);
	}
	buf_char(b, '"');
}

/* Appends the labels of a row: event, unit, place and cgroup. */
static void metrics_begin(const struct metrics *m, const struct stat_row *row, size_t family)
{
	const struct stat_lines *l = m->l;
	const uint32_t nth = idmap_find(&m->number, (uintptr_t)row->event);
	struct buf *b = &l->out->buf;
	const enum stat_aggr aggr = stat_is_by_core(l->view, row) ? STAT_CORE : l->view->aggr;
	AUTO_BUF place = {0}, digits = {0};
	size_t number;

	buf_str(b, families[family].name);
	buf_char(b, '{');
	metrics_label(b, "event", row->name);
	if (*row->event->unit)
		metrics_label(b, "unit", row->event->unit);
	if (aggr != STAT_GLOBAL) {
		number = stat_label(l->view, row, &place);
		metrics_label(b, stat_place_key(aggr),
			      buf_text(&place) + (aggr == STAT_CPU ? number : 0));
	}
	if (row->event->cgroup)
		metrics_label(b, "cgroup", row->event->cgroup);
	if (nth > 1) {
		buf_dec(&digits, nth);
		metrics_label(b, "nth", buf_text(&digits));
	}
}

static void metrics_end(struct buf *b, double value)
{
	if (isnan(value))
		buf_str(b, "} NaN\n");
	else if (isinf(value))
		buf_str(b, value < 0 ? "} -Inf\n" : "} +Inf\n");
	else
		buf_printf(b, "} %.15g\n", value);
}

static void metrics_of_row(const struct metrics *all, const struct stat_row *row)
{
	struct buf *b = &all->l->out->buf;

	for (size_t i = 0; i < row->n_metrics; i++) {
		const struct stat_metric *m = &row->metrics[i];

		if (!m->format)
			continue;
		metrics_begin(all, row, FAMILY_METRIC);
		metrics_label(b, "metric", m->unit + strspn(m->unit, " "));
		metrics_end(b, m->value);
	}
}

void stat_openmetrics(const struct stat_lines *l, const struct stat_row *rows, size_t n,
		      double elapsed_ns)
{
	struct buf *b = &l->out->buf;
	struct metrics m;

	metrics_init(&m, l, rows, n);
	metrics_family(b, FAMILY_EVENTS);
	for (size_t i = 0; i < n; i++) {
		if (rows[i].state != STAT_COUNTED)
			continue;
		metrics_begin(&m, &rows[i], FAMILY_EVENTS);
		metrics_end(b, rows[i].value);
	}
	metrics_family(b, FAMILY_RUNNING);
	for (size_t i = 0; i < n; i++) {
		if (rows[i].state != STAT_COUNTED)
			continue;
		metrics_begin(&m, &rows[i], FAMILY_RUNNING);
		metrics_end(b, stat_running_percent(&rows[i]) / 100);
	}
	metrics_family(b, FAMILY_METRIC);
	for (size_t i = 0; i < n; i++)
		metrics_of_row(&m, &rows[i]);
	metrics_family(b, FAMILY_ELAPSED);
	buf_printf(b, "perf_stat_elapsed_seconds %.9f\n# EOF\n", elapsed_ns / 1e9);
	out_ready(l->out);
	idmap_release(&m.number);
}
