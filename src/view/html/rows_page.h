/* SPDX-License-Identifier: MIT */
/* Tables as one page for web browsers, which can be sorted and filtered there: rows.h writes it. */
#ifndef VIEW_HTML_ROWS_PAGE_H
#define VIEW_HTML_ROWS_PAGE_H

#include "view/out/out.h"

void rows_page_begin(struct out *out, const char *title);
/* The head of a table, up to its first row; the table before it must have ended. */
void rows_page_begin_table(struct out *out, const char *name, const char *const *columns, size_t n);
void rows_page_end_table(struct out *out);
/* A cell; first: it begins a row. Text may be anything; NULL: there is no value. */
void rows_page_text(struct out *out, const char *text, bool first);
void rows_page_number(struct out *out, uint64_t value, bool first);
void rows_page_end(struct out *out);

#endif
