// SPDX-License-Identifier: MIT
#include "view/trace/call_fields.h"

#include "base/mem.h"

#include <string.h>

uint64_t field_number(const uint8_t *p, unsigned int size)
{
	uint64_t v = 0;

	memcpy(&v, p, MIN(size, (unsigned int)sizeof(v)));
	return v;
}

static int64_t field_signed(const uint8_t *p, unsigned int size)
{
	unsigned int unused = 64 - 8 * size;

	return (int64_t)(field_number(p, size) << unused) >> unused;
}

static void field_show(const struct call_text *t, const uint8_t *p, size_t n, const struct field *f)
{
	const uint8_t *at = p + f->at;

	switch ((enum field_form)f->form) {
	case FIELD_NUMBER:
		buf_dec(t->out, field_number(at, f->size));
		return;
	case FIELD_SIGNED:
		buf_sdec(t->out, field_signed(at, f->size));
		return;
	case FIELD_HEX:
		buf_printf(t->out, "%#llx", (unsigned long long)field_number(at, f->size));
		return;
	case FIELD_OCTAL:
		buf_printf(t->out, "%#llo", (unsigned long long)field_number(at, f->size));
		return;
	case FIELD_BITS:
		call_bits_show(t, f->words, field_number(at, f->size));
		return;
	case FIELD_ENUM:
		call_enum_show(t, f->words, field_number(at, f->size), "%u");
		return;
	case FIELD_INSIDE:
		call_fields_show(t, at, n - f->at, f->inside, f->n_inside);
		return;
	}
}

void call_fields_show(const struct call_text *t, const uint8_t *p, size_t n,
		      const struct field *fields, size_t n_fields)
{
	buf_char(t->out, '{');
	for (size_t i = 0; i < n_fields && fields[i].at + (size_t)fields[i].size <= n; i++) {
		buf_printf(t->out, "%s%s=", i ? ", " : "", fields[i].name);
		field_show(t, p, n, &fields[i]);
	}
	buf_char(t->out, '}');
}

bool call_fields_show_arg(const struct call_text *t, const struct field *fields, size_t n_fields)
{
	size_t n;
	const uint8_t *p = call_bytes(t->call, t->value, &n);

	if (!p || n < fields[0].at + (size_t)fields[0].size)
		return false;
	call_fields_show(t, p, n, fields, n_fields);
	return true;
}

#define ELEMENTS_MOST 64 /* of an array, those are copied */

bool call_fields_show_array(const struct call_text *t, size_t size, const struct field *fields,
			    size_t n_fields)
{
	const uint64_t count = call_length(t);
	size_t n;
	const uint8_t *p = call_bytes(t->call, t->value, &n);

	if (!p || n < size)
		return false;
	buf_char(t->out, '[');
	for (uint64_t i = 0; i < count; i++) {
		if (i)
			buf_str(t->out, ", ");
		if (i == ELEMENTS_MOST || (i + 1) * size > n) {
			buf_str(t->out, "...");
			break;
		}
		call_fields_show(t, p + i * size, size, fields, n_fields);
	}
	buf_char(t->out, ']');
	return true;
}

bool call_fields_show_numbers(const struct call_text *t, uint8_t size, enum field_form form)
{
	const struct field number = {.size = size, .form = (uint8_t)form};
	const uint64_t count = call_length(t);
	size_t n = 0;
	const uint8_t *p = call_bytes(t->call, t->value, &n);

	if (!p && count)
		return false;
	buf_char(t->out, '[');
	for (uint64_t i = 0; i < count; i++) {
		if (i)
			buf_str(t->out, ", ");
		if ((i + 1) * size > n) {
			buf_str(t->out, "...");
			break;
		}
		field_show(t, p + i * size, size, &number);
	}
	buf_char(t->out, ']');
	return true;
}
