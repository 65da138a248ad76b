// SPDX-License-Identifier: MIT
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
		int32_t given = (int32_t)print_eval(s, piece->star_arg);

		if (precision >= 0)
			precision = given;
		else
			width = given;
	}
	if (precision >= 0 && n > (size_t)precision)
		n = (size_t)precision;
	width = MIN(width, 4096);
	if (!piece->left && width > (int64_t)n)
		buf_fill(s->out, ' ', (size_t)width - n);
	buf_add(s->out, text, n);
	if (piece->left && width > (int64_t)n)
		buf_fill(s->out, ' ', (size_t)width - n);
}

static void put_hex(struct buf *out, uint64_t v)
{
	buf_str(out, "0x");
	buf_hex(out, v);
}

static void show_flags(const struct print_sample *s, const struct print_piece *piece,
		       const struct print_node *n)
{
	uint64_t v = print_eval(s, n->a);
	bool shown = false;

	for (size_t i = 0; i < n->names->n; i++) {
		const struct print_name *name = &n->names->at[i];
		int64_t bits = (int64_t)name->value;

		if (!v && bits < 0) {
			put_string(s, piece, name->text, strlen(name->text));
			break;
		}
		if (bits > 0 && (v & name->value) == name->value) {
			if (shown)
				buf_str(s->out, n->text);
			put_string(s, piece, name->text, strlen(name->text));
			shown = true;
			v &= ~name->value;
		}
	}
	if (v) {
		if (shown)
			buf_str(s->out, n->text);
		put_hex(s->out, v);
	}
}

static void show_symbolic(const struct print_sample *s, const struct print_piece *piece,
			  const struct print_node *n)
{
	uint64_t v = print_eval(s, n->a);

	for (size_t i = 0; i < n->names->n; i++)
		if (n->names->at[i].value == v) {
			put_string(s, piece, n->names->at[i].text, strlen(n->names->at[i].text));
			return;
		}
	put_hex(s->out, v);
}

static void show_hex(const struct print_sample *s, const struct print_node *n)
{
	size_t have;
	const uint8_t *p = print_bytes(s, n->a, &have);
	uint64_t wanted = print_eval(s, n->b);

	if (!p || (int32_t)wanted < 0)
		return;
	/* what is asked for may be more than the field, but not more than the sample */
	have = MIN((size_t)(int32_t)wanted, (size_t)(s->raw + s->size - p));
	for (size_t i = 0; i < have; i++) {
		if (i && n->kind == PRINT_HEX)
			buf_char(s->out, ' ');
		buf_hex_zero(s->out, p[i], 2);
	}
}

static void show_array(const struct print_sample *s, const struct print_node *n)
{
	uint64_t count = print_eval(s, n->b), size = print_eval(s, n->c);
	size_t have;
	const uint8_t *p = print_bytes(s, n->a, &have);

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
static void show_bitmask(const struct print_sample *s, const struct print_node *n)
{
	bool big_endian = s->formats->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	size_t len;
	const uint8_t *p = print_bytes(s, n, &len);

	for (size_t i = p ? len : 0; i-- > 0;) {
		buf_hex_zero(s->out, p[big_endian ? len - 1 - i : i], 2);
		if (i && i % 4 == 0)
			buf_char(s->out, ',');
	}
}

/* A field that is shown as %s: an array of characters, or a pointer to a text of the kernel. */
static void show_field_string(const struct print_sample *s, const struct print_piece *piece,
			      const struct print_node *n)
{
	size_t len, long_size = s->formats->long_size ? s->formats->long_size : 8;
	const uint8_t *p;

	if (!n->field)
		return;
	if (!n->field->is_array && n->field->size == long_size) {
		uint64_t address = print_eval(s, n);

		for (size_t i = 0; i < s->formats->printks.n; i++)
			if (s->formats->printks.at[i].address == address) {
				buf_str(s->out, s->formats->printks.at[i].text);
				return;
			}
		buf_hex(s->out, address);
		return;
	}
	p = print_bytes(s, n, &len);
	if (p)
		put_string(s, piece, (const char *)p, strnlen((const char *)p, len));
}

static void show_string(const struct print_sample *s, const struct print_piece *piece,
			const struct print_node *n)
{
	const uint8_t *p;
	size_t len;

	switch (n->kind) {
	case PRINT_NUMBER:
	case PRINT_ATOM:
		put_string(s, piece, n->text, strlen(n->text));
		break;
	case PRINT_FIELD:
		show_field_string(s, piece, n);
		break;
	case PRINT_STRING:
		p = print_bytes(s, n, &len);
		if (p)
			put_string(s, piece, (const char *)p,
				   strnlen((const char *)p, (size_t)(s->raw + s->size - p)));
		break;
	case PRINT_FLAGS:
		show_flags(s, piece, n);
		break;
	case PRINT_SYMBOLIC:
		show_symbolic(s, piece, n);
		break;
	case PRINT_HEX:
	case PRINT_HEX_STR:
		show_hex(s, n);
		break;
	case PRINT_ARRAY:
		show_array(s, n);
		break;
	case PRINT_BITMASK:
		show_bitmask(s, n);
		break;
	case PRINT_OPERATOR:
		if (n->op[0] == '?')
			show_string(s, piece, print_eval(s, n->a) ? n->b->a : n->b->b);
		break;
	default:
		break;
	}
}

/* The value as the length letters cut it. Of a size_t, perf 6.1 shows the lower half. */
static uint64_t cut(const struct print_piece *piece, uint64_t v)
{
	bool is_signed = piece->conversion == 'd' || piece->conversion == 'i';

	if (piece->size)
		return v & UINT32_MAX;
	switch (piece->longs) {
	case -2:
		return is_signed ? (uint64_t)(int8_t)v : (uint8_t)v;
	case -1:
		return is_signed ? (uint64_t)(int16_t)v : (uint16_t)v;
	case 0:
		return is_signed ? (uint64_t)(int32_t)v : (uint32_t)v;
	default:
		return v;
	}
}

static void show_number(const struct print_sample *s, const struct print_piece *piece)
{
	uint64_t v = cut(piece, print_eval(s, piece->arg));
	bool simple = piece->plain || (piece->zeros && piece->width > 0 && piece->precision < 0 &&
				       !piece->left && !piece->prefix && !piece->star);
	size_t width = piece->plain ? 0 : (size_t)MAX(piece->width, 0);

	if (simple && piece->conversion == 'x')
		buf_hex_zero(s->out, v, width);
	else if (simple && piece->conversion == 'u')
		buf_dec_zero(s->out, v, width);
	else if (piece->plain && (piece->conversion == 'd' || piece->conversion == 'i'))
		buf_sdec(s->out, (int64_t)v);
	else if (piece->star)
		buf_printf(s->out, piece->spec,
			   (int)MIN((uint32_t)print_eval(s, piece->star_arg), 4096u),
			   (unsigned long long)v);
	else
		buf_printf(s->out, piece->spec, (unsigned long long)v);
}

void print_show(const struct print *p, const struct print_sample *s)
{
	for (size_t i = 0; i < p->pieces.n; i++) {
		const struct print_piece *piece = &p->pieces.at[i];

		buf_add(s->out, piece->text, piece->text_len);
		switch (piece->conversion) {
		case 0:
			break;
		case 's':
			show_string(s, piece, piece->arg);
			break;
		case 'p':
			print_pointer(s, piece);
			break;
		case 'c':
			buf_printf(s->out, piece->spec, (int)print_eval(s, piece->arg));
			break;
		default:
			show_number(s, piece);
		}
	}
}
