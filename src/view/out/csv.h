/* SPDX-License-Identifier: MIT */
/* Rows for other programs: cells with a separator between them (RFC 4180). */
#ifndef VIEW_CSV_H
#define VIEW_CSV_H

#include "base/buf.h"

/* Appends a cell, escaped by buf_safe(), in double quotes when it contains the separator or a
 * quote. text NULL: "-". */
void csv_cell(struct buf *out, const char *text, const char *separator);
/* Appends a line with n column names. */
void csv_head(struct buf *out, const char *const *names, size_t n, const char *separator);

#endif
