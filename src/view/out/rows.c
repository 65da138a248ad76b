// SPDX-License-Identifier: MIT
#include "view/out/rows.h"

#include "view/html/rows_page.h"
#include "view/out/csv.h"

#include <stdio.h>

void rows_begin(struct rows *r, struct out *out, const struct rows_form *form)
{
	*r = (struct rows){.out = out, .form = *form, .json = {.out = &out->buf}};
	if (form->kind == ROWS_JSON)
		json_open(&r->json, '{');
	else if (form->kind == ROWS_PAGE)
		rows_page_begin(out, form->title);
}

static void rows_end_table(struct rows *r)
{
	if (!r->tables++)
		return;
	if (r->form.kind == ROWS_JSON)
		json_close(&r->json, ']');
	else if (r->form.kind == ROWS_PAGE)
		rows_page_end_table(r->out);
	else
		buf_char(&r->out->buf, '\n');
}

void rows_table(struct rows *r, const char *name, const char *const *columns, size_t n)
{
	rows_end_table(r);
	r->columns = columns;
	r->n_columns = n;
	r->at = 0;
	if (r->form.kind == ROWS_CSV) {
		csv_head(&r->out->buf, columns, n, r->form.separator);
	} else if (r->form.kind == ROWS_PAGE) {
		rows_page_begin_table(r->out, name, columns, n);
	} else {
		json_name(&r->json, name);
		json_open(&r->json, '[');
	}
}

static void rows_begin_cell(struct rows *r)
{
	if (r->form.kind == ROWS_CSV && r->at)
		buf_str(&r->out->buf, r->form.separator);
	else if (r->form.kind == ROWS_JSON && !r->at)
		json_open(&r->json, '{');
}

static void rows_end_cell(struct rows *r)
{
	if (++r->at < r->n_columns)
		return;
	r->at = 0;
	if (r->form.kind == ROWS_JSON)
		json_close(&r->json, '}');
	else
		buf_char(&r->out->buf, '\n');
	out_ready(r->out);
}

void rows_text(struct rows *r, const char *text)
{
	rows_begin_cell(r);
	if (r->form.kind == ROWS_CSV)
		csv_cell(&r->out->buf, text, r->form.separator);
	else if (r->form.kind == ROWS_PAGE)
		rows_page_text(r->out, text, !r->at);
	else
		json_optional_member(&r->json, r->columns[r->at], text);
	rows_end_cell(r);
}

void rows_number(struct rows *r, uint64_t value)
{
	rows_begin_cell(r);
	if (r->form.kind == ROWS_CSV)
		buf_dec(&r->out->buf, value);
	else if (r->form.kind == ROWS_PAGE)
		rows_page_number(r->out, value, !r->at);
	else
		json_number_member(&r->json, r->columns[r->at], value);
	rows_end_cell(r);
}

void rows_numbers(struct rows *r, const uint64_t *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		rows_number(r, values[i]);
}

void rows_name(struct rows *r, const char *name, uint64_t address)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)address);
	rows_text(r, name ? name : text);
}

void rows_end(struct rows *r)
{
	if (r->form.kind == ROWS_CSV)
		return;
	rows_end_table(r);
	if (r->form.kind == ROWS_PAGE) {
		rows_page_end(r->out);
		return;
	}
	json_close(&r->json, '}');
	buf_char(&r->out->buf, '\n');
}
