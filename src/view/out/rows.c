// SPDX-License-Identifier: MIT
#include "view/out/rows.h"

#include "view/out/csv.h"

void rows_begin(struct rows *r, struct out *out, const char *separator)
{
	*r = (struct rows){.out = out, .separator = separator, .json = {.out = &out->buf}};
	if (!separator)
		json_open(&r->json, '{');
}

static void rows_end_table(struct rows *r)
{
	if (!r->tables++)
		return;
	if (r->separator)
		buf_char(&r->out->buf, '\n');
	else
		json_close(&r->json, ']');
}

void rows_table(struct rows *r, const char *name, const char *const *columns, size_t n)
{
	rows_end_table(r);
	r->columns = columns;
	r->n_columns = n;
	r->at = 0;
	if (r->separator) {
		csv_head(&r->out->buf, columns, n, r->separator);
		return;
	}
	json_name(&r->json, name);
	json_open(&r->json, '[');
}

static void rows_begin_cell(struct rows *r)
{
	if (r->separator && r->at)
		buf_str(&r->out->buf, r->separator);
	else if (!r->separator && !r->at)
		json_open(&r->json, '{');
}

static void rows_end_cell(struct rows *r)
{
	if (++r->at < r->n_columns)
		return;
	r->at = 0;
	if (r->separator)
		buf_char(&r->out->buf, '\n');
	else
		json_close(&r->json, '}');
	out_ready(r->out);
}

void rows_text(struct rows *r, const char *text)
{
	rows_begin_cell(r);
	if (r->separator)
		csv_cell(&r->out->buf, text, r->separator);
	else
		json_optional_member(&r->json, r->columns[r->at], text);
	rows_end_cell(r);
}

void rows_number(struct rows *r, uint64_t value)
{
	rows_begin_cell(r);
	if (r->separator)
		buf_dec(&r->out->buf, value);
	else
		json_number_member(&r->json, r->columns[r->at], value);
	rows_end_cell(r);
}

void rows_end(struct rows *r)
{
	if (r->separator)
		return;
	rows_end_table(r);
	json_close(&r->json, '}');
	buf_char(&r->out->buf, '\n');
}
