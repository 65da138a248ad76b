// SPDX-License-Identifier: MIT
/* A tracepoint's format, then a zero byte, then raw bytes of a sample that are shown with it. */
#include "driver.h"
#include "event/format/format.h"
#include "event/print/tp_text.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
	size_t n = zero ? (size_t)(zero - data) : size, raw = zero ? size - n - 1 : 0;
	struct tp_formats formats = {0};
	struct buf out = {0};
	struct err err = {0};
	struct tp_format *fmt = tp_formats_add(&formats, "fuzz", (const char *)data, n, &err);

	if (fmt) {
		struct tp_text_options none = {0};
		struct tp_text *text = tp_text_new(&formats, &none);

		tp_text_show(text, fmt->id, zero ? zero + 1 : NULL, raw, 0, &out);
		tp_fields_show(&formats, fmt, zero ? zero + 1 : NULL, raw, &out);
		tp_text_free(text);
	}
	buf_release(&out);
	tp_formats_release(&formats);
	return 0;
}
