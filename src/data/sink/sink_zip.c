// SPDX-License-Identifier: MIT
#include "data/sink/sink_zip.h"

#include "base/mem.h"
#include "data/record/record.h"

#include <zstd.h>

/* Payload of a record: sizes are 16 bit, and stay multiples of 8 wherever the stream allows it. */
#define PAYLOAD_MAX (65528u - sizeof(struct record_header))

struct sink_zip {
	ZSTD_CStream *stream;
};

struct sink_zip *sink_zip_new(int level, struct err *err)
{
	struct sink_zip *z = NEW(struct sink_zip);
	size_t got;

	z->stream = ZSTD_createCStream();
	got = z->stream ? ZSTD_initCStream(z->stream, level) : 0;
	if (!z->stream || ZSTD_isError(got)) {
		err_set(err, ERR_SYSTEM, "cannot set up compression");
		sink_zip_free(z);
		return NULL;
	}
	return z;
}

void sink_zip_free(struct sink_zip *z)
{
	if (!z)
		return;
	ZSTD_freeCStream(z->stream);
	free(z);
}

static int add_chunk(struct sink_zip *z, const void *p, size_t n, struct buf *out, struct err *err)
{
	ZSTD_inBuffer in = {p, n, 0};
	size_t left;

	do {
		struct record_header h = {.type = RECORD_COMPRESSED};
		ZSTD_outBuffer o = {.size = PAYLOAD_MAX};

		buf_reserve(out, sizeof(h) + PAYLOAD_MAX);
		o.dst = out->at + out->n + sizeof(h);
		left = ZSTD_compressStream2(z->stream, &o, &in, ZSTD_e_flush);
		if (ZSTD_isError(left))
			return err_set(err, ERR_SYSTEM, "cannot compress: %s",
				       ZSTD_getErrorName(left));
		if (!o.pos)
			continue;
		h.size = (uint16_t)(sizeof(h) + o.pos);
		memcpy(out->at + out->n, &h, sizeof(h));
		out->n += h.size;
	} while (left || in.pos < in.size);
	return 0;
}

int sink_zip_add(struct sink_zip *z, const void *p, size_t n, struct buf *out, struct err *err)
{
	while (n) {
		size_t step = MIN(n, SINK_ZIP_CHUNK);

		if (add_chunk(z, p, step, out, err))
			return -1;
		p = (const char *)p + step;
		n -= step;
	}
	return 0;
}
