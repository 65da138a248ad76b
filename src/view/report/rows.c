// SPDX-License-Identifier: MIT
#include "view/report/rows.h"

#include <string.h>

#define MAX_HEADER 1023 /* perf formats headers in 1024 bytes; C++ names of -v are longer */

void rows_add(struct rows *r, struct rows_column column)
{
	vec_add(&r->columns, column);
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

void rows_show_headers(const struct rows *r, struct out *out)
{
	struct buf *b = &out->buf;

	buf_str(b, "# ");
	for (size_t i = 0; i < r->columns.n; i++) {
		const struct rows_column *c = &r->columns.at[i];

		if (i)
			buf_str(b, r->separator ? r->separator : "  ");
		if (c->header_right)
			buf_right(b, c->header, c->width);
		else
			rows_left_cut(c->header, MIN(c->width, MAX_HEADER), b);
	}
	buf_char(b, '\n');
	if (r->separator)
		return;
	buf_str(b, "# ");
	for (size_t i = 0; i < r->columns.n; i++) {
		buf_str(b, i ? "  " : "");
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

		if (!r->separator)
			buf_str(b, "  ");
		else if (i)
			buf_str(b, r->separator);
		start = b->n;
		cell(row, c->index, out);
		written = b->n - start;
		/* colours count as bytes of the value */
		if (written < c->width && !last && !out->colour)
			buf_fill(b, ' ', c->width - written);
	}
	buf_char(b, '\n');
}
