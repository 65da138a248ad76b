/* SPDX-License-Identifier: MIT */
/*
 * Columns and rows as perf lays them out: "# Overhead  Symbol" and "# ........  ......", then a
 * line for each row. With a separator (-t) nothing is padded, there is no line of dots, and titles
 * stand in front of headers.
 *
 *   rows_add for each column -> rows_show_headers -> rows_show for each row -> rows_release
 */
#ifndef VIEW_ROWS_H
#define VIEW_ROWS_H

#include "base/mem.h"
#include "view/out/out.h"

struct rows_column {
	const char *header;  /* borrowed */
	unsigned int width;  /* in bytes, of the padded header, the dots and the padded values */
	bool header_right;   /* the header ends where the column ends */
	size_t index;	     /* the caller's; passed to rows_cell */
	const char *title;   /* above the headers of neighbours that have the same one, without
			      * blanks between them; NULL: none. Borrowed */
};

/* All zero is valid and needs no release. */
struct rows {
	VEC(struct rows_column) columns;
	const char *separator; /* -t, borrowed; NULL: two blanks */
	bool fill_last;	       /* pad values in the last column, too */
	bool titled;	       /* a column has a title; set by rows_add() */
};

/* Appends the value of a row in a column; row and index are the caller's. rows_show() adds missing
 * padding on the right. */
typedef void (*rows_cell)(const void *row, size_t index, struct out *out);

void rows_add(struct rows *r, struct rows_column column);
void rows_release(struct rows *r);
void rows_show_headers(const struct rows *r, struct out *out);
void rows_show(const struct rows *r, rows_cell cell, const void *row, struct out *out);

/* Text as "%-*.*s" shows it: cut and filled to the width. */
void rows_left_cut(const char *text, unsigned int width, struct buf *out);

#endif
