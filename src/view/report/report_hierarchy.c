// SPDX-License-Identifier: MIT
/* --hierarchy: a row for each entry, indented by its depth: first the sums, then the keys of its
 * level. */
#include "view/report/report.h"

#include <stdio.h>

#define INDENT 3

struct hierarchy {
	const struct report_table *t;
	uint8_t levels[UINT8_MAX];
	uint8_t n;
	size_t rows, max_rows; /* rows shown so far; their limit, 0: all */
	struct out *out;
};

static const struct layout *layout_of(const struct hierarchy *h)
{
	return &h->t->v->table->layout;
}

static bool is_sum(const struct hierarchy *h, size_t column)
{
	return h->t->shown[column] && layout_of(h)->columns.at[column].key < 0;
}

/* True when this column is a key of that depth. The sort keys define the levels. */
static bool is_key(const struct hierarchy *h, size_t column, uint8_t depth)
{
	const struct layout *l = layout_of(h);
	const struct field *f = &l->columns.at[column];

	if (!h->t->shown[column] || f->key < 0)
		return false;
	for (size_t i = 0; i < l->sort.n; i++)
		if (l->sort.at[i].key == f->key)
			return l->sort.at[i].level == h->levels[depth];
	return false;
}

/* -- headers -- */

static void put_sum_headers(const struct hierarchy *h, struct buf *rule)
{
	const struct layout *l = layout_of(h);
	const char *separator = h->t->v->separator;
	bool first = true;

	for (size_t i = 0; i < l->columns.n; i++) {
		if (!is_sum(h, i))
			continue;
		buf_right(&h->out->buf, l->columns.at[i].header, h->t->widths[i]);
		buf_str(&h->out->buf, separator ? separator : "  ");
		if (!first)
			buf_str(rule, separator ? separator : "..");
		first = false;
		buf_fill(rule, '.', h->t->widths[i]);
	}
}

static size_t put_key_headers(const struct hierarchy *h)
{
	const struct layout *l = layout_of(h);
	struct buf *b = &h->out->buf;
	size_t start = b->n;

	for (uint8_t depth = 0; depth < h->n; depth++) {
		bool first = true;

		buf_str(b, depth ? " / " : "");
		for (size_t i = 0; i < l->columns.n; i++) {
			const char *text = l->columns.at[i].header;
			size_t n = strlen(text);

			if (!is_key(h, i, depth))
				continue;
			while (n && *text == ' ')
				text++, n--;
			while (n && text[n - 1] == ' ')
				n--;
			n = MIN(n, h->t->widths[i]);
			buf_str(b, first ? "" : "+");
			buf_add(b, text, n);
			first = false;
		}
	}
	return b->n - start;
}

static void put_headers(const struct hierarchy *h)
{
	const struct layout *l = layout_of(h);
	const char *separator = h->t->v->separator;
	size_t indent = separator || h->n < 1 ? 0 : (size_t)(h->n - 1) * INDENT, width;
	struct buf *b = &h->out->buf, rule = {0};

	buf_str(b, "# ");
	buf_fill(b, ' ', indent);
	buf_fill(&rule, '.', indent);
	put_sum_headers(h, &rule);
	width = put_key_headers(h);
	for (uint8_t depth = 0; depth < h->n; depth++) {
		size_t wide = (size_t)depth * INDENT;
		bool first = true;

		for (size_t i = 0; i < l->columns.n; i++) {
			if (!is_key(h, i, depth))
				continue;
			wide += h->t->widths[i] + !first;
			first = false;
		}
		width = MAX(width, wide);
	}
	buf_str(&rule, separator ? separator : "  ");
	buf_fill(&rule, '.', width);
	buf_str(b, "\n# ");
	buf_add(b, rule.at, rule.n);
	buf_str(b, "\n#\n");
	buf_release(&rule);
}

/* -- rows -- */

static void put_sums(const struct hierarchy *h, const struct entry *e)
{
	const struct layout *l = layout_of(h);
	const char *separator = h->t->v->separator;
	bool first = true;

	for (size_t i = 0; i < l->columns.n; i++) {
		size_t start, written;

		if (!is_sum(h, i))
			continue;
		if (!separator || !first)
			buf_str(&h->out->buf, separator ? separator : "  ");
		first = false;
		start = h->out->buf.n;
		report_cell(h->t, e, i, h->out);
		written = h->out->buf.n - start;
		if (written < h->t->widths[i] && !h->out->colour)
			buf_fill(&h->out->buf, ' ', h->t->widths[i] - written);
	}
}

static void put_row(const struct hierarchy *h, const struct entry *e)
{
	const char *separator = h->t->v->separator;
	struct buf *b = &h->out->buf;

	buf_fill(b, ' ', (size_t)e->levels->depth * INDENT);
	put_sums(h, e);
	if (!separator)
		buf_fill(b, ' ', (size_t)(h->n - 1) * INDENT);
	for (size_t i = 0; i < layout_of(h)->columns.n; i++) {
		size_t start, blanks = 0;

		if (!is_key(h, i, e->levels->depth))
			continue;
		buf_str(b, separator ? separator : "  ");
		start = b->n;
		report_cell(h->t, e, i, h->out);
		while (start + blanks < b->n && b->at[start + blanks] == ' ')
			blanks++;
		memmove(b->at + start, b->at + start + blanks, b->n - start - blanks);
		b->n -= blanks;
	}
	buf_char(b, '\n');
}

static void put_nothing(const struct hierarchy *h, const struct entry *e)
{
	const struct layout *l = layout_of(h);
	size_t width = 4;
	bool first = true;

	for (size_t i = 0; i < l->columns.n; i++) {
		if (!is_sum(h, i))
			continue;
		width += h->t->widths[i] + (first ? 0 : 2);
		first = false;
	}
	if (!h->t->v->separator)
		buf_fill(&h->out->buf, ' ', (size_t)(h->n + e->levels->depth) * INDENT);
	buf_printf(&h->out->buf, "%*sno entry >= %.2f%%\n", (int)width, "",
		   h->t->v->percent_limit);
}

static bool report_hierarchy_shown(const struct hierarchy *h, const struct entry *e)
{
	return !e->filtered && report_percent(h->t, e) >= h->t->v->percent_limit;
}

static void show_below(struct hierarchy *h, struct entry *const *at, size_t n)
{
	for (size_t i = 0; i < n && out_ready(h->out) && (!h->max_rows || h->rows < h->max_rows);
	     i++) {
		const struct entry *e = at[i];
		bool any = false;

		if (!report_hierarchy_shown(h, e))
			continue;
		put_row(h, e);
		h->rows++;
		if (!e->levels->below.n) {
			report_tree(h->t, e, 0, h->out);
			continue;
		}
		for (size_t k = 0; k < e->levels->below.n && !any; k++)
			any = report_hierarchy_shown(h, e->levels->below.at[k]);
		if (!any)
			put_nothing(h, e);
		show_below(h, e->levels->below.at, e->levels->below.n);
	}
}

void report_hierarchy(const struct report_table *t, size_t max_rows, struct out *out)
{
	struct hierarchy h = {.t = t, .max_rows = max_rows, .out = out};

	h.n = table_levels(t->v->table, t->entries->event, h.levels);
	if (!h.n)
		return;
	if (!t->v->quiet)
		put_headers(&h);
	show_below(&h, t->entries->roots.at, t->entries->roots.n);
}
