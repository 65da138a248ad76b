// SPDX-License-Identifier: MIT
#include "view/list/list.h"

#include <ctype.h>
#include <string.h>

#define NAME_WIDTH 50
#define INDENT	   8 /* columns before an event's description */

static void list_text_show_name(const struct listing_row *row, struct buf *line)
{
	buf_clear(line);
	buf_str(line, row->name);
	if (row->alias) {
		buf_str(line, " OR ");
		buf_str(line, row->alias);
	}
}

/* Shows a text in brackets, wrapped at words. A word that is too long gets a line of its own. */
static void show_wrapped(const char *text, int width, struct buf *out)
{
	size_t column = INDENT, most = width > INDENT ? (size_t)width : INDENT;
	bool first = true;

	buf_fill(out, ' ', INDENT - 1);
	buf_char(out, '[');
	while (*text) {
		size_t n = strcspn(text, " \t");

		if (n) {
			if (column + n >= most && column > INDENT) {
				buf_char(out, '\n');
				buf_fill(out, ' ', INDENT);
				column = INDENT;
			} else if (!first) {
				buf_char(out, ' ');
			}
			buf_add(out, text, n);
			column += n + 1; /* count the blank after it, even if the line ends here */
			first = false;
		}
		text += n;
		text += strspn(text, " \t");
	}
	buf_str(out, "]\n");
}

/* " cpu/event=0x51,period=0x1e8483,umask=0x1/ ": all numbers in hex. */
static void show_terms(const struct listing_row *row, struct buf *out)
{
	const char *p = row->terms;

	if (!p)
		return;
	buf_fill(out, ' ', INDENT);
	buf_printf(out, "%s/", row->pmu);
	while (*p) {
		size_t n = strcspn(p, ",");
		const char *is = memchr(p, '=', n);
		char *end = NULL;
		unsigned long long v = is ? strtoull(is + 1, &end, 0) : 0;

		if (is && end == p + n && end > is + 1)
			buf_printf(out, "%.*s=%s%llx", (int)(is - p), p, v ? "0x" : "", v);
		else
			buf_add(out, p, n);
		p += n;
		if (*p == ',')
			buf_char(out, *p++);
	}
	buf_str(out, "/ ");
	if (row->metric)
		buf_printf(out, " MetricName: %s", row->metric);
	if (row->expr)
		buf_printf(out, " MetricExpr: %s", row->expr);
	buf_char(out, '\n');
}

static const char *description(const struct listing_row *row, const struct list_view *v)
{
	return v->long_desc && row->long_desc ? row->long_desc : row->desc;
}

static void list_text_show_event(const struct listing_row *row, const struct list_view *v,
				 struct buf *line, struct buf *out)
{
	const char *desc = v->desc ? description(row, v) : NULL;

	list_text_show_name(row, line);
	buf_str(out, "  ");
	buf_left(out, buf_text(line), NAME_WIDTH);
	if (!desc) {
		buf_printf(out, " [%s]\n", listing_kind_text(row->kind));
		return;
	}
	buf_char(out, '\n');
	show_wrapped(desc, v->width, out);
	if (v->details)
		show_terms(row, out);
}

static void show_metric(const struct listing_row *row, const struct list_view *v, struct buf *out)
{
	const char *desc = description(row, v);

	buf_printf(out, "  %s\n", row->name);
	if (desc)
		buf_printf(out, "       [%s]\n", desc);
	if (v->details && row->expr)
		buf_printf(out, "       [%s]\n", row->expr);
	if (v->details && row->threshold)
		buf_printf(out, "       [%s]\n", row->threshold);
}

/* True when groups are listed with their metrics, not alone. */
static bool groups_have_metrics(const struct listing *l)
{
	for (size_t i = 1; i < l->rows.n; i++)
		if (l->rows.at[i].kind == LIST_METRIC &&
		    l->rows.at[i - 1].kind == LIST_METRIC_GROUP)
			return true;
	return false;
}

static bool is_of_metrics(const struct listing_row *row)
{
	return row->kind & (LIST_METRIC | LIST_METRIC_GROUP);
}

void list_show(const struct listing *l, const struct list_view *v, struct buf *out)
{
	bool grouped = groups_have_metrics(l);
	const char *topic = "";
	struct buf line = {0};

	for (size_t i = 0; i < l->rows.n; i++) {
		const struct listing_row *row = &l->rows.at[i], *before = i ? row - 1 : NULL;
		bool last = i + 1 == l->rows.n || row[1].kind != row->kind;

		if (is_of_metrics(row) && (!before || !is_of_metrics(before)))
			buf_str(out, row->kind == LIST_METRIC ? "\nMetrics:\n\n"
							      : "\nMetric Groups:\n\n");
		if (row->kind == LIST_METRIC) {
			show_metric(row, v, out);
			continue;
		}
		if (row->kind == LIST_METRIC_GROUP) {
			buf_printf(out, grouped ? "%s:\n" : "%s\n", row->name);
			continue;
		}
		if (v->desc && row->desc && row->topic && strcmp(topic, row->topic)) {
			topic = row->topic;
			buf_printf(out, "\n%s:\n", topic);
		}
		list_text_show_event(row, v, &line, out);
		if (last && v->paged)
			buf_str(out, row->kind == LIST_RAW
					     ? "   (see 'man perf-list' on how to encode it)\n\n"
					     : "\n");
	}
	buf_release(&line);
}

void list_show_names(const struct listing *l, struct buf *out)
{
	for (size_t i = 0; i < l->rows.n; i++) {
		const struct listing_row *row = &l->rows.at[i];
		bool end = i + 1 == l->rows.n || row[1].kind != LIST_METRIC;

		if (row->kind == LIST_RAW || row->kind == LIST_BREAKPOINT)
			continue;
		/* for an event of a core PMU in sysfs, the unique name */
		buf_str(out, row->short_name	       ? row->short_name
			     : row->core && row->alias ? row->alias
						       : row->name);
		/* the last metric of a group, or of all, ends the line */
		buf_char(out, row->kind == LIST_METRIC && end ? '\n' : ' ');
	}
}
