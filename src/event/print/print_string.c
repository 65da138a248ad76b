// SPDX-License-Identifier: MIT
/* Shows %s: texts of the sample and of the format, and names of numbers. */
#include "event/print/print.h"

static void put_string(const struct print_sample *s, const struct print_piece *piece,
		       const char *text, size_t n)
{
	int64_t width = piece->width, precision = piece->precision;

	if (piece->plain) {
		buf_add(s->out, text, n);
		return;
	}
	if (piece->star) {
		int32_t given = (int32_t)print_number(s, &piece->star_value);

		if (precision >= 0)
			precision = given;
		else
			width = given;
	}
	if (precision >= 0 && n > (size_t)precision)
		n = (size_t)precision;
	width = MIN(width, PRINT_WIDEST);
	if (!piece->left && width > (int64_t)n)
		buf_fill(s->out, ' ', (size_t)width - n);
	buf_add(s->out, text, n);
	if (piece->left && width > (int64_t)n)
		buf_fill(s->out, ' ', (size_t)width - n);
}

static void print_string_put_hex(struct buf *out, uint64_t v)
{
	buf_add(out, "0x", 2);
	buf_hex(out, v);
}

static void show_flags(const struct print_sample *s, const struct print_piece *piece,
		       const struct print_text *t)
{
	uint64_t v = print_number(s, &t->value);
	bool shown = false;

	for (size_t i = 0; i < t->names->n; i++) {
		const struct print_name *name = &t->names->at[i];
		int64_t bits = (int64_t)name->value;

		if (!v && bits < 0) {
			put_string(s, piece, name->text, name->len);
			break;
		}
		if (bits > 0 && (v & name->value) == name->value) {
			if (shown)
				buf_add(s->out, t->literal, t->literal_len);
			put_string(s, piece, name->text, name->len);
			shown = true;
			v &= ~name->value;
		}
	}
	if (v) {
		if (shown)
			buf_add(s->out, t->literal, t->literal_len);
		print_string_put_hex(s->out, v);
	}
}

static const struct print_name *print_string_name_of(const struct print_names *names, uint64_t v)
{
	uint32_t at;

	if (names->by_value.slots) {
		at = idmap_find(&names->by_value, v);
		return at == HASH_NONE ? NULL : &names->at[at];
	}
	for (size_t i = 0; i < names->n; i++)
		if (names->at[i].value == v)
			return &names->at[i];
	return NULL;
}

static void show_symbolic(const struct print_sample *s, const struct print_piece *piece,
			  const struct print_text *t)
{
	uint64_t v = print_number(s, &t->value);
	const struct print_name *name = print_string_name_of(t->names, v);

	if (name)
		put_string(s, piece, name->text, name->len);
	else
		print_string_put_hex(s->out, v);
}

static void show_hex(const struct print_sample *s, const struct print_text *t)
{
	size_t have;
	const uint8_t *p = print_bytes(s, t->node, &have);
	uint64_t wanted = print_number(s, &t->count);

	if (!p || (int32_t)wanted < 0)
		return;
	/* the count may exceed the field, but not the sample */
	have = MIN((size_t)(int32_t)wanted, (size_t)(s->raw + s->size - p));
	for (size_t i = 0; i < have; i++) {
		if (i)
			buf_add(s->out, t->literal, t->literal_len);
		buf_hex_zero(s->out, p[i], 2);
	}
}

static void show_array(const struct print_sample *s, const struct print_text *t)
{
	uint64_t count = print_number(s, &t->count), size = print_number(s, &t->each);
	size_t have;
	const uint8_t *p = print_bytes(s, t->node, &have);

	if (!p || (int32_t)count < 0)
		return;
	have = (size_t)(s->raw + s->size - p);
	for (uint64_t i = 0; i < (uint32_t)count && have; i++) {
		if (i)
			buf_char(s->out, ' ');
		if (size != 1 && size != 2 && size != 4 && size != 8) {
			buf_printf(s->out, "BAD SIZE:%d 0x%x", (int)size, *p);
			size = 1;
		} else if (have >= size) {
			buf_dec(s->out, tp_raw_number(p, size, s->formats->swap, false));
		} else {
			break;
		}
		p += size;
		have -= size;
	}
}

/* A cpumask: in hex, the highest CPU first, with a comma every 32 bits. */
static void show_bitmask(const struct print_sample *s, const struct print_text *t)
{
	bool big_endian = s->formats->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	size_t len;
	const uint8_t *p = print_bytes(s, t->node, &len);

	for (size_t i = p ? len : 0; i-- > 0;) {
		buf_hex_zero(s->out, p[big_endian ? len - 1 - i : i], 2);
		if (i && i % 4 == 0)
			buf_char(s->out, ',');
	}
}

/* Shows a text of the sample. */
static void put_sample_string(const struct print_sample *s, const struct print_piece *piece,
			      const uint8_t *text, size_t most)
{
	const size_t start = s->out->n;

	put_string(s, piece, (const char *)text, strnlen((const char *)text, most));
	if (!s->lines)
		buf_make_safe(s->out, start);
}

/* A field that is shown as %s: an array of characters, or a pointer to a text of the kernel. */
static void show_field(const struct print_sample *s, const struct print_piece *piece,
			      const struct print_text *t)
{
	size_t len, long_size = s->formats->long_size ? s->formats->long_size : 8;
	const struct tp_field *field = t->node->field;
	const uint8_t *p;

	if (!field->is_array && field->size == long_size) {
		uint64_t address = print_number(s, &t->value);

		for (size_t i = 0; i < s->formats->printks.n; i++)
			if (s->formats->printks.at[i].address == address) {
				buf_str(s->out, s->formats->printks.at[i].text);
				return;
			}
		buf_hex(s->out, address);
		return;
	}
	p = print_bytes(s, t->node, &len);
	if (p)
		put_sample_string(s, piece, p, len);
}

static void show_dynamic(const struct print_sample *s, const struct print_piece *piece,
			 const struct print_text *t)
{
	size_t len;
	const uint8_t *p = print_bytes(s, t->node, &len);

	if (p)
		put_sample_string(s, piece, p, (size_t)(s->raw + s->size - p));
}

void print_string(const struct print_sample *s, const struct print_piece *piece,
		  const struct print_text *t)
{
	while (t->kind == TEXT_CHOICE)
		t = print_number(s, &t->value) ? t->yes : t->no;
	switch (t->kind) {
	case TEXT_LITERAL:
		put_string(s, piece, t->literal, t->literal_len);
		break;
	case TEXT_FIELD:
		show_field(s, piece, t);
		break;
	case TEXT_DYNAMIC:
		show_dynamic(s, piece, t);
		break;
	case TEXT_FLAGS:
		show_flags(s, piece, t);
		break;
	case TEXT_SYMBOLIC:
		show_symbolic(s, piece, t);
		break;
	case TEXT_HEX:
		show_hex(s, t);
		break;
	case TEXT_ARRAY:
		show_array(s, t);
		break;
	case TEXT_BITMASK:
		show_bitmask(s, t);
		break;
	default:
		break;
	}
}
