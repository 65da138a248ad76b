// SPDX-License-Identifier: MIT
/*
 * --metric-only: a line for each part of the machine, a column for each ratio. Rates and the number
 * of CPUs in use have no column unless the user asked for that metric.
 */
#include "view/stat/row.h"

#include <math.h>

enum {
	COLUMN = 20,
	CODES = 3, /* columns that perf 6.1 leaves for colours, coloured or not ... */
	CODE = 5,  /* ... and more of them where a value stands out */
};

static bool column(const struct stat_metric *m)
{
	if (!m->unit || m->asked)
		return m->unit;
	return !strstr(m->unit, "/sec") && !strstr(m->unit, "CPUs utilized");
}

/* "branch-misses of all branches" */
static void title(const struct stat_row *row, const struct stat_metric *m, struct buf *out)
{
	if (!strncmp(m->unit, "of all", 6)) {
		buf_str(out, row->name);
		buf_char(out, ' ');
	}
	buf_str(out, m->unit);
}

static size_t table_width_of(const struct stat_metric *m, size_t title)
{
	size_t width = title > COLUMN ? title + 1 : COLUMN;

	if (m->judgement != STAT_NOT_JUDGED && !m->asked)
		width += CODES + (m->judgement > STAT_PLAIN ? CODE : 0);
	return width;
}

static void text_cell(const struct stat_lines *l, const struct stat_row *row,
		      const struct stat_metric *m)
{
	AUTO_BUF name = {0}, text = {0};
	struct buf *b = &l->out->buf;
	size_t width;

	title(row, m, &name);
	width = table_width_of(m, name.n);
	if (m->format)
		stat_metric_text(m, &text);
	if (text.n < width)
		buf_fill(b, ' ', width - text.n);
	stat_colour(l->out, m->judgement);
	buf_add(b, text.at, text.n);
	stat_colour(l->out, STAT_PLAIN);
	buf_char(b, ' ');
}

static void cell(const struct stat_lines *l, const struct stat_row *row,
		 const struct stat_metric *m)
{
	struct buf *b = &l->out->buf;

	if (l->view->form == STAT_TEXT) {
		text_cell(l, row, m);
	} else if (l->view->form == STAT_CSV) {
		if (m->format)
			stat_metric_number(m, b);
		buf_str(b, l->view->separator);
	} else if (m->format && isfinite(m->value)) {
		AUTO_BUF name = {0};

		title(row, m, &name);
		stat_json_string(b, buf_text(&name));
		buf_str(b, " : \"");
		stat_metric_number(m, b);
		buf_str(b, "\", ");
	}
}

/* The number of rows, from rows[0] on, for the same part of the machine. */
static size_t same_place(const struct stat_row *rows, size_t n)
{
	size_t i = 1;

	while (i < n && !memcmp(&rows[i].id, &rows[0].id, sizeof(rows[0].id)))
		i++;
	return i;
}

/* True when the column has a name. perf 6.1 names columns of metrics only; with -A all columns. */
static bool named(const struct stat_view *v, const struct stat_row *row,
		  const struct stat_metric *m)
{
	if (!column(m))
		return false;
	return v->aggr == STAT_CPU ? !m->own_line || m->asked : row->of_metric;
}

void stat_table_heading(const struct stat_lines *l, const struct stat_row *rows, size_t n,
			const char *time)
{
	static const struct {
		int indent;
		const char *fields;
	} places[] = {
		[STAT_GLOBAL] = {0, ""},
		[STAT_CPU] = {6, "cpu,"},
		[STAT_CORE] = {24, "core,cpus,"},
		[STAT_CLUSTER] = {26, "cluster,cpus,"},
		[STAT_CACHE] = {28, "cache,cpus,"},
		[STAT_DIE] = {18, "die,cpus"},
		[STAT_SOCKET] = {12, "socket,cpus"},
		[STAT_NODE] = {6, "node,"},
		[STAT_THREAD] = {24, "comm-pid,"},
	};
	const struct stat_view *v = l->view;
	struct buf *b = &l->out->buf;

	if (v->form == STAT_JSON)
		return;
	buf_str(b, time);
	if (v->form == STAT_CSV) {
		for (const char *p = places[v->aggr].fields; *p; p++)
			*p == ',' ? buf_str(b, v->separator) : buf_char(b, *p);
	} else if (!v->interval) {
		buf_fill(b, ' ', (size_t)places[v->aggr].indent);
	}
	n = n ? same_place(rows, n) : 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < rows[i].n_metrics; k++) {
			const struct stat_metric *m = &rows[i].metrics[k];
			AUTO_BUF name = {0};

			if (!named(v, &rows[i], m))
				continue;
			title(&rows[i], m, &name);
			if (v->form == STAT_TEXT) {
				buf_right(b, buf_text(&name), COLUMN);
				buf_char(b, ' ');
			} else {
				buf_str(b, buf_text(&name));
				buf_str(b, v->separator);
			}
		}
	}
	buf_char(b, '\n');
}

/* Shows the cells of a row. An event that was not counted leaves one cell empty. */
static void cells_of(const struct stat_lines *l, const struct stat_row *row)
{
	static const struct stat_metric nothing = {.unit = ""};

	if (row->state != STAT_COUNTED)
		cell(l, row, &nothing);
	else
		for (size_t i = 0; i < row->n_metrics; i++)
			if (column(&row->metrics[i]))
				cell(l, row, &row->metrics[i]);
}

void stat_table_rows(const struct stat_lines *l, const struct stat_row *rows, size_t n)
{
	struct buf *b = &l->out->buf;

	for (size_t i = 0, many; i < n && out_ready(l->out); i += many) {
		size_t start = b->n, label;

		many = same_place(rows + i, n - i);
		stat_row_start(l, &rows[i]);
		label = b->n;
		for (size_t k = i; k < i + many; k++)
			cells_of(l, &rows[k]);
		if (l->view->form != STAT_JSON) {
			buf_char(b, '\n');
		} else if (b->n > label) {
			b->n -= strlen(", ");
			buf_str(b, "}\n");
		} else {
			b->n = start;
		}
	}
}
