// SPDX-License-Identifier: MIT
#include "view/report/rows.h"

#include <string.h>

#define MAX_HEADER 1023 /* perf formats headers in 1024 bytes; C++ names of -v are longer */

void rows_add(struct rows *r, struct rows_column column)
{
	vec_add(&r->columns, column);
	r->titled |= column.title != NULL;
}

/* True for a column below the title of the one before it. */
static bool rows_is_joined(const struct rows *r, size_t i)
{
	return i && r->columns.at[i].title && r->columns.at[i].title == r->columns.at[i - 1].title;
}

/* Appends what stands between a column and the one before it. */
static void rows_gap(const struct rows *r, size_t i, struct buf *out)
{
	if (i && r->separator)
		buf_str(out, r->separator);
	else if (i && !rows_is_joined(r, i))
		buf_str(out, "  ");
}

void rows_release(struct rows *r)
{
	vec_release(&r->columns);
}

void rows_left_cut(const char *text, unsigned int width, struct buf *out)
{
	const size_t n = strnlen(text, width);

	buf_add(out, text, n);
	if (n < width)
		buf_fill(out, ' ', width - n);
}

/* Appends "--- Snoop ---" over a width; the title alone, on the right, where that is too narrow. */
static void rows_put_title(const char *title, size_t width, struct buf *out)
{
	const size_t n = strlen(title) + 2;

	if (width < n + 2) {
		buf_right(out, title, (unsigned int)width);
		return;
	}
	buf_fill(out, '-', (width - n) / 2);
	buf_printf(out, " %s ", title);
	buf_fill(out, '-', (width - n + 1) / 2);
}

/* The line above the headers. */
static void rows_show_titles(const struct rows *r, struct buf *out)
{
	size_t blanks = 1;

	buf_char(out, '#');
	for (size_t i = 0; i < r->columns.n;) {
		const struct rows_column *c = &r->columns.at[i];
		size_t width = c->width;

		while (++i < r->columns.n && rows_is_joined(r, i))
			width += r->columns.at[i].width;
		if (c->title) {
			buf_fill(out, ' ', blanks);
			rows_put_title(c->title, width, out);
			blanks = 2;
		} else {
			blanks += width + 2;
		}
	}
	buf_char(out, '\n');
}

static void rows_put_header(const struct rows *r, const struct rows_column *c, struct buf *out)
{
	if (r->separator && c->title)
		buf_printf(out, "%s %s", c->title, c->header);
	else if (c->header_right)
		buf_right(out, c->header, c->width);
	else
		rows_left_cut(c->header, MIN(c->width, MAX_HEADER), out);
}

void rows_show_headers(const struct rows *r, struct out *out)
{
	struct buf *b = &out->buf;

	if (r->titled && !r->separator)
		rows_show_titles(r, b);
	buf_str(b, "# ");
	for (size_t i = 0; i < r->columns.n; i++) {
		rows_gap(r, i, b);
		rows_put_header(r, &r->columns.at[i], b);
	}
	buf_char(b, '\n');
	if (r->separator)
		return;
	buf_str(b, "# ");
	for (size_t i = 0; i < r->columns.n; i++) {
		rows_gap(r, i, b);
		buf_fill(b, '.', r->columns.at[i].width);
	}
	buf_str(b, "\n#\n");
}

void rows_show(const struct rows *r, rows_cell cell, const void *row, struct out *out)
{
	struct buf *b = &out->buf;

	for (size_t i = 0; i < r->columns.n; i++) {
		const struct rows_column *c = &r->columns.at[i];
		const bool last = i + 1 == r->columns.n && !r->fill_last;
		size_t start, written;

		if (!i && !r->separator)
			buf_str(b, "  ");
		rows_gap(r, i, b);
		start = b->n;
		cell(row, c->index, out);
		written = b->n - start;
		/* colours count as bytes of the value */
		if (written < c->width && !last && !out->colour)
			buf_fill(b, ' ', c->width - written);
	}
	buf_char(b, '\n');
}
