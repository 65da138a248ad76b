/* SPDX-License-Identifier: MIT */
/* Compresses records with zstd into COMPRESSED records. Private to sink*.c. */
#ifndef DATA_SINK_ZIP_H
#define DATA_SINK_ZIP_H

#include "base/buf.h"
#include "base/err.h"

#include <stdint.h>

/* At most so many bytes come out of one COMPRESSED record: readers size their buffers by it. */
#define SINK_ZIP_CHUNK (256u << 10)

struct sink_zip;
struct sink_zip *sink_zip_new(int level, struct err *err);
void sink_zip_free(struct sink_zip *z);
/* Appends COMPRESSED records that hold the n bytes. */
int sink_zip_add(struct sink_zip *z, const void *p, size_t n, struct buf *out, struct err *err);

#endif
