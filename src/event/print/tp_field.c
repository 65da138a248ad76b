// SPDX-License-Identifier: MIT
/* Shows a tracepoint sample field by field, without its print format. */
#include "event/print/tp_text.h"

#include <ctype.h>

/* True when an array of bytes has only text in it. */
static bool looks_like_text(const char *s, size_t n)
{
	for (size_t i = 0; i < n && s[i]; i++)
		if (!isprint((unsigned char)s[i]) && !isspace((unsigned char)s[i]))
			return false;
	return true;
}

static void show_array(const struct tp_field *field, const uint8_t *p, size_t n, struct buf *out)
{
	bool bytes = field->is_string || strstr(field->type, "u8") || strstr(field->type, "s8");

	if (bytes && looks_like_text((const char *)p, n)) {
		const size_t start = out->n;

		buf_add(out, p, strnlen((const char *)p, n));
		buf_make_safe(out, start);
		return;
	}
	buf_str(out, "ARRAY[");
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_str(out, ", ");
		buf_hex_zero(out, p[i], 2);
	}
	buf_char(out, ']');
}

/* Longs usually hold addresses: libtraceevent shows them in hex, but for signed ones of 8 bytes. */
static void tp_field_show_number(const struct tp_field *field, uint64_t v, struct buf *out)
{
	bool is_long = strstr(field->type, "long") != NULL;

	if (field->is_pointer || (is_long && (!field->is_signed || field->size == 4))) {
		buf_str(out, "0x");
		buf_hex(out, field->is_signed && field->size == 4 ? (uint32_t)v : v);
	} else if (field->is_signed && field->size == 2) {
		buf_printf(out, "%2d", (int)v);
	} else if (field->is_signed) {
		buf_sdec(out, (int64_t)v);
	} else {
		buf_dec(out, v);
	}
}

void tp_field_show(const struct tp_formats *formats, const struct tp_field *field, const void *raw,
		   size_t size, struct buf *out)
{
	size_t n;

	if (field->is_array) {
		const void *p = tp_field_bytes(formats, field, raw, size, &n);

		if (p)
			show_array(field, p, n, out);
	} else {
		tp_field_show_number(field, tp_field_u64(formats, field, raw, size), out);
	}
}

void tp_fields_show(const struct tp_formats *formats, const struct tp_format *fmt, const void *raw,
		    size_t size, struct buf *out)
{
	for (size_t i = 0; i < fmt->fields.n; i++) {
		const struct tp_field *field = &fmt->fields.at[i];

		if (field->is_common)
			continue;
		buf_char(out, ' ');
		buf_str(out, field->name);
		buf_char(out, '=');
		tp_field_show(formats, field, raw, size, out);
	}
}
