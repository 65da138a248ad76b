// SPDX-License-Identifier: MIT
/* %p and the kernel's extensions of it (Documentation/core-api/printk-formats.rst). */
#include "event/print/print.h"

#include <ctype.h>

static void show_function(const struct print_sample *s, char how, uint64_t address)
{
	uint64_t start = address;
	const char *name =
		s->opts->function ? s->opts->function(s->opts->ctx, address, &start) : NULL;

	if (!name) {
		buf_str(s->out, "0x");
		buf_hex(s->out, s->formats->long_size == 4 ? (uint32_t)address : address);
		return;
	}
	buf_str(s->out, name);
	if (how == 'F' || how == 'S') {
		buf_str(s->out, "+0x");
		buf_hex(s->out, address - start);
	}
}

static void show_mac(const struct print_sample *s, const struct print_piece *piece)
{
	bool reversed = strchr(piece->pointer, 'R') != NULL;
	char between = piece->pointer[0] == 'm' ? 0 : piece->pointer[1] == 'F' ? '-' : ':';
	size_t len;
	const uint8_t *p;

	if (piece->arg->kind != PRINT_FIELD) {
		buf_printf(s->out, "ARG TYPE NOT FIELD BUT %d", (int)piece->arg->kind);
		return;
	}
	if (!piece->arg->field || piece->arg->field->size != 6) {
		buf_str(s->out, "INVALIDMAC");
		return;
	}
	p = print_bytes(s, piece->arg, &len);
	for (int i = 0; p && i < 6; i++) {
		if (i && between)
			buf_char(s->out, between);
		buf_hex_zero(s->out, p[reversed ? 5 - i : i], 2);
	}
}

static void show_ipv4(struct buf *out, char how, const uint8_t *p)
{
	for (int i = 0; i < 4; i++) {
		if (i)
			buf_char(out, '.');
		buf_dec_zero(out, p[i], how == 'i' ? 3 : 0);
	}
}

static void show_ipv6(struct buf *out, char how, const uint8_t *p)
{
	for (int i = 0; i < 16; i++) {
		if (i && i % 2 == 0 && how == 'I')
			buf_char(out, ':');
		buf_hex_zero(out, p[i], 2);
	}
}

/* RFC 5952: the longest run of zeros is left out; an IPv4 address in it stays readable. */
static void show_ipv6_short(struct buf *out, const uint8_t *p)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
	bool v4 = !memcmp(p, mapped, 12) || (!memcmp(p + 8, "\0\0\x5e\xfe", 4)) ||
		  (!memcmp(p + 8, "\2\0\x5e\xfe", 4));
	int words = v4 ? 6 : 8, best = -1, best_n = 1;
	bool colon = false;

	for (int i = 0; i < words; i++) {
		int n = 0;

		while (i + n < words && !p[(i + n) * 2] && !p[(i + n) * 2 + 1])
			n++;
		if (n > best_n) {
			best_n = n;
			best = i;
		}
	}
	for (int i = 0; i < words; i++) {
		if (i == best) {
			buf_str(out, "::");
			colon = false;
			i += best_n - 1;
			continue;
		}
		if (colon)
			buf_char(out, ':');
		buf_hex(out, (uint64_t)(p[i * 2] << 8 | p[i * 2 + 1]));
		colon = true;
	}
	if (v4) {
		if (colon)
			buf_char(out, ':');
		show_ipv4(out, 'I', p + 12);
	}
}

/* A socket address by its family: %pIS, with p the port, c the short form. */
static void show_socket(const struct print_sample *s, const struct print_piece *piece)
{
	bool port = strchr(piece->pointer, 'p') != NULL,
	     brief = strchr(piece->pointer, 'c') != NULL;
	size_t len;
	const uint8_t *p = print_bytes(s, piece->arg, &len);
	uint16_t family =
		p && len >= 2 ? (uint16_t)tp_raw_number(p, 2, s->formats->swap, false) : 0;

	if (family == 2 && len >= 8) {
		show_ipv4(s->out, piece->pointer[0], p + 4);
	} else if (family == 10 && len >= 28) {
		if (port)
			buf_char(s->out, '[');
		if (brief)
			show_ipv6_short(s->out, p + 8);
		else
			show_ipv6(s->out, piece->pointer[0], p + 8);
		if (port)
			buf_char(s->out, ']');
	} else {
		return;
	}
	if (port) {
		buf_char(s->out, ':');
		buf_dec(s->out, (uint64_t)(p[2] << 8 | p[3]));
	}
}

static void show_address(const struct print_sample *s, const struct print_piece *piece)
{
	char how = piece->pointer[0];
	size_t len;
	const uint8_t *p;

	if (piece->pointer[1] == 'S') {
		show_socket(s, piece);
		return;
	}
	p = print_bytes(s, piece->arg, &len);
	if (!p)
		return;
	if (piece->pointer[1] == '4' && len == 4)
		show_ipv4(s->out, how, p);
	else if (piece->pointer[1] == '6' && len == 16 && piece->pointer[2] == 'c')
		show_ipv6_short(s->out, p);
	else if (piece->pointer[1] == '6' && len == 16)
		show_ipv6(s->out, how, p);
	else if (piece->pointer[1] == '4' || piece->pointer[1] == '6')
		buf_str(s->out, piece->pointer[1] == '4' ? "INVALIDIPv4" : "INVALIDIPv6");
}

static void show_uuid(const struct print_sample *s, const struct print_piece *piece)
{
	static const uint8_t big[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
	static const uint8_t little[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
	char how = piece->pointer[1] ? piece->pointer[1] : 'b';
	const uint8_t *order = tolower((unsigned char)how) == 'l' ? little : big;
	size_t len, start = s->out->n;
	const uint8_t *p = print_bytes(s, piece->arg, &len);

	if (!p || len < 16) {
		buf_str(s->out, "INVALIDUUID");
		return;
	}
	for (int i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			buf_char(s->out, '-');
		buf_hex_zero(s->out, p[order[i]], 2);
	}
	for (size_t i = start; isupper((unsigned char)how) && i < s->out->n; i++)
		s->out->at[i] = (char)toupper((unsigned char)s->out->at[i]);
}

/* %*ph: as many bytes as the width says */
static void show_bytes(const struct print_sample *s, const struct print_piece *piece)
{
	char between = piece->pointer[1] == 'C'	  ? ':'
		       : piece->pointer[1] == 'D' ? '-'
		       : piece->pointer[1] == 'N' ? 0
						  : ' ';
	uint64_t wanted =
		piece->star ? print_number(s, &piece->star_value) : (uint64_t)MAX(piece->width, 0);
	size_t len;
	const uint8_t *p = print_bytes(s, piece->arg, &len);

	for (size_t i = 0; p && i < MIN(wanted, len); i++) {
		if (i && between)
			buf_char(s->out, between);
		buf_hex_zero(s->out, p[i], 2);
	}
}

void print_pointer(const struct print_sample *s, const struct print_piece *piece)
{
	uint64_t v;

	switch (piece->pointer[0]) {
	case 'F':
	case 'f':
	case 'S':
	case 's':
		show_function(s, piece->pointer[0], print_number(s, &piece->value));
		return;
	case 'M':
	case 'm':
		show_mac(s, piece);
		return;
	case 'I':
	case 'i':
		show_address(s, piece);
		return;
	case 'U':
		show_uuid(s, piece);
		return;
	case 'h':
		show_bytes(s, piece);
		return;
	default:
		v = print_number(s, &piece->value);
		if (v) {
			buf_str(s->out, "0x");
			buf_hex(s->out, v);
		} else {
			buf_str(s->out, "(nil)");
		}
	}
}
