// SPDX-License-Identifier: MIT
#include "base/digits.h"
#include "event/print/print.h"

static uint64_t number_of(const struct print_sample *s, const struct print_piece *piece)
{
	return print_number(s, &piece->value) << piece->cut >> piece->cut;
}

static int64_t signed_of(const struct print_sample *s, const struct print_piece *piece)
{
	return (int64_t)(print_number(s, &piece->value) << piece->cut) >> piece->cut;
}

/* The value of a '*'. */
static int star_of(const struct print_sample *s, const struct print_piece *piece)
{
	return (int)MIN((uint32_t)print_number(s, &piece->star_value), (uint32_t)PRINT_WIDEST);
}

/* Shows a number with padding, sign or prefix. */
static void print_show_as_number(const struct print_sample *s, const struct print_piece *piece)
{
	bool is_signed = piece->conversion == 'd' || piece->conversion == 'i';
	uint64_t v =
		is_signed && !piece->size ? (uint64_t)signed_of(s, piece) : number_of(s, piece);
	bool simple = !piece->left && !piece->prefix && !piece->star && !piece->signs &&
		      piece->precision < 0 && !(is_signed && (int64_t)v < 0);
	size_t width = (size_t)MAX(piece->width, 0);

	if (simple && piece->conversion == 'x' && piece->zeros)
		buf_hex_zero(s->out, v, width);
	else if (simple && piece->conversion == 'x')
		buf_hex_right(s->out, v, width);
	else if (simple && (is_signed || piece->conversion == 'u') && piece->zeros)
		buf_dec_zero(s->out, v, width);
	else if (simple && (is_signed || piece->conversion == 'u'))
		buf_dec_right(s->out, v, width);
	else if (piece->star)
		buf_printf(s->out, piece->spec, star_of(s, piece), (unsigned long long)v);
	else
		buf_printf(s->out, piece->spec, (unsigned long long)v);
}

static void show_character(const struct print_sample *s, const struct print_piece *piece)
{
	const int c = (int)print_number(s, &piece->value);

	if (piece->star)
		buf_printf(s->out, piece->spec, star_of(s, piece), c);
	else
		buf_printf(s->out, piece->spec, c);
}

static void show_other(const struct print_sample *s, const struct print_piece *piece)
{
	if (piece->conversion == 'p')
		print_pointer(s, piece);
	else if (piece->conversion == 'c')
		show_character(s, piece);
	else
		print_show_as_number(s, piece);
}

/* Copies the text in blocks of constant size: short texts, the usual case, need no call. */
static char *put_text(char *p, const struct print_piece *piece)
{
	memcpy(p, piece->text, PRINT_BLOCK);
	if (piece->text_len > PRINT_BLOCK)
		memcpy(p + PRINT_BLOCK, piece->text + PRINT_BLOCK, piece->text_len - PRINT_BLOCK);
	return p + piece->text_len;
}

void print_show(const struct print *p, const struct print_sample *s)
{
	struct buf *out = s->out;

	for (size_t i = 0; i < p->pieces.n; i++) {
		const struct print_piece *piece = &p->pieces.at[i];
		char *to;

		if (out->cap - out->n < piece->text_len + PRINT_BLOCK + DIGITS_MAX)
			buf_reserve(out, piece->text_len + PRINT_BLOCK + DIGITS_MAX);
		to = put_text(out->at + out->n, piece);
		if (piece->show == SHOW_UNSIGNED)
			to = digits_dec(to, number_of(s, piece));
		else if (piece->show == SHOW_SIGNED)
			to = digits_sdec(to, signed_of(s, piece));
		else if (piece->show == SHOW_HEX)
			to = digits_hex(to, number_of(s, piece));
		out->n = (size_t)(to - out->at);
		if (piece->show == SHOW_STRING)
			print_string(s, piece, piece->string);
		else if (piece->show == SHOW_OTHER)
			show_other(s, piece);
	}
}
