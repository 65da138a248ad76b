/* SPDX-License-Identifier: MIT */
/* Rows for other programs: cells with a separator between them (RFC 4180). */
#ifndef VIEW_CSV_H
#define VIEW_CSV_H

#include "base/buf.h"

/* A cell, by buf_safe(): in double quotes where the separator or a quote is in it. NULL: "-". */
void csv_cell(struct buf *out, const char *text, const char *separator);
/* The separator, and a cell. */
void csv_next_cell(struct buf *out, const char *text, const char *separator);
/* A line of n names of columns. */
void csv_head(struct buf *out, const char *const *names, size_t n, const char *separator);

#endif
