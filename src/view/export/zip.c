// SPDX-License-Identifier: MIT
#include "view/export/zip.h"

#include "base/mem.h"

#include <zlib.h>

#define STEP (1u << 16)

int zip(const struct buf *plain, enum zip_form form, struct buf *packed, struct err *err)
{
	z_stream z = {.next_in = (Bytef *)plain->at};
	size_t left = plain->n;
	int got = Z_OK;

	/* zlib's number for a gzip header around the stream is 16 more, for none it is negative. */
	if (deflateInit2(&z, 6, Z_DEFLATED, form == ZIP_RAW ? -MAX_WBITS : MAX_WBITS + 16, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return err_set(err, ERR_SYSTEM, "there is no memory to compress with");
	while (got == Z_OK) {
		uInt give = (uInt)MIN(left, 1u << 30);

		buf_reserve(packed, STEP);
		z.avail_in = give;
		z.avail_out = STEP;
		z.next_out = (Bytef *)packed->at + packed->n;
		got = deflate(&z, give == left ? Z_FINISH : Z_NO_FLUSH);
		left -= give - z.avail_in;
		packed->n += STEP - z.avail_out;
	}
	deflateEnd(&z);
	return 0;
}
