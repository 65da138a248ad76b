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

/* Appends to packed. 0, or -1 with *err: no memory. */
int zip(const struct buf *plain, enum zip_form form, struct buf *packed, struct err *err);

#endif
