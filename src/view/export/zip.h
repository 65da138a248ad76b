/* SPDX-License-Identifier: MIT */
/* Compressed bytes, by zlib. */
#ifndef VIEW_ZIP_H
#define VIEW_ZIP_H

#include "base/buf.h"
#include "base/err.h"

enum zip_form {
	ZIP_RAW,  /* a DEFLATE stream: RFC 1951 */
	ZIP_GZIP, /* within a gzip member: RFC 1952 */
};

/* Appends the compressed bytes to packed. 0, or -1 with *err: no memory. */
int zip(const struct buf *plain, enum zip_form form, struct buf *packed, struct err *err);

/* Compresses bytes that come in pieces. */
struct zip_stream;
struct zip_stream *zip_new(enum zip_form form, struct err *err); /* or NULL with *err */
void zip_add(struct zip_stream *z, const void *p, size_t n, struct buf *packed);
void zip_finish(struct zip_stream *z, struct buf *packed);
void zip_free(struct zip_stream *z); /* NULL: nothing */

#endif
