/* SPDX-License-Identifier: MIT */
/*
 * Tables for other programs: the same cells as CSV (RFC 4180), as JSON (RFC 8259), or as a page for
 * web browsers.
 *
 *   struct rows r;
 *   rows_begin(&r, out, &(struct rows_form){ROWS_CSV, .separator = ","});
 *   rows_table(&r, "works", columns, 2);
 *   rows_text(&r, work->name);
 *   rows_number(&r, work->count);              the second of two columns ends the row
 *   rows_end(&r);
 *
 * JSON is one object with an array of objects for each table. CSV has a line of column names above
 * each table, and an empty line between two tables.
 */
#ifndef VIEW_ROWS_H
#define VIEW_ROWS_H

#include "view/out/json.h"
#include "view/out/out.h"

enum rows_kind { ROWS_JSON, ROWS_CSV, ROWS_PAGE };

struct rows_form {
	enum rows_kind kind;
	const char *separator; /* of CSV */
	const char *title;     /* of a page */
};

struct rows {
	struct out *out;
	struct rows_form form;
	/* private */
	const char *const *columns;
	size_t n_columns, at, tables;
	struct json json;
};

void rows_begin(struct rows *r, struct out *out, const struct rows_form *form);
/* Begins a table, and ends the one before. The names of the columns must outlive the table. */
void rows_table(struct rows *r, const char *name, const char *const *columns, size_t n);
/* The next cell of the row. Text is escaped; NULL: there is no value ("-", JSON has no member). */
void rows_text(struct rows *r, const char *text);
void rows_number(struct rows *r, uint64_t value);
/* The next n cells, which are numbers. */
void rows_numbers(struct rows *r, const uint64_t *values, size_t n);
/* The next cell: a name, or without one an address as "0x1f". */
void rows_name(struct rows *r, const char *name, uint64_t address);
/* Ends the last table. */
void rows_end(struct rows *r);

#endif
