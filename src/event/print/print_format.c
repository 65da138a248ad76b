// SPDX-License-Identifier: MIT
/* Splits the format string of a print format into text and conversions. */
#include "event/print/print.h"

#include <ctype.h>

/* The length of the extension of a %p: a letter, and for addresses the letters of their form. */
static size_t pointer_len(const char *after)
{
	switch (*after) {
	case 'I':
	case 'i':
		if (after[1] == 'S')
			return 2 + strspn(after + 2, "pfsc");
		return after[1] == '4'	 ? 2
		       : after[1] == '6' ? (after[2] == 'c' && after[0] == 'I' ? 3 : 2)
					 : 1;
	case 'M':
		return after[1] == 'F' || after[1] == 'R' ? 2 : 1;
	case 'm':
		return after[1] == 'R' ? 2 : 1;
	case 'U':
		return after[1] && strchr("bBlL", after[1]) ? 2 : 1;
	case 'h':
		return after[1] && strchr("CDN", after[1]) ? 2 : 1;
	default:
		return *after && strchr("FfSs", *after) ? 1 : 0;
	}
}

static void width_and_precision(struct print_piece *piece, char c)
{
	int16_t *part = piece->precision >= 0 ? &piece->precision : &piece->width;

	if (c == '.') {
		piece->precision = 0;
	} else if (c == '-') {
		piece->left = true;
	} else if (c == '0' && part == &piece->width && piece->width < 0) {
		piece->zeros = true;
	} else if (c == '#') {
		piece->prefix = true;
	} else if (c == '*') {
		piece->star = true;
	} else if (c == '+' || c == ' ') {
		piece->signs = true;
	} else if (isdigit((unsigned char)c) && *part < 1000) {
		*part = (int16_t)(MAX(*part, 0) * 10 + (c - '0'));
	}
}

/* Parses a conversion; *p is behind '%' and moves behind the conversion. */
static bool conversion(const char **p, struct print_piece *piece, struct arena *arena)
{
	const char *f = *p;
	size_t n = 0;

	piece->spec[n++] = '%';
	piece->width = piece->precision = -1;
	for (;; f++) {
		if (n + 5 > sizeof(piece->spec))
			return false;
		if (*f == 'h') {
			piece->longs--;
		} else if (*f == 'l') {
			piece->longs++;
		} else if (*f == 'L') {
			piece->longs = 2;
		} else if (*f == 'z' || *f == 'Z') {
			piece->size = true;
		} else if (*f == '*' && piece->star) {
			return false;
		} else if (*f && strchr("#.*-+ 0123456789", *f)) {
			piece->spec[n++] = *f;
			width_and_precision(piece, *f);
			if (MAX(piece->width, piece->precision) > PRINT_WIDEST)
				return false;
		} else {
			break;
		}
	}
	if (!*f || !strchr("diuxXocsp", *f))
		return false;
	piece->conversion = *f++;
	piece->plain = n == 1;
	piece->pointer = "";
	if (piece->conversion == 'p') {
		size_t len = pointer_len(f);

		piece->pointer = arena_strndup(arena, f, len);
		f += len;
	} else if (!strchr("cs", piece->conversion)) {
		piece->spec[n++] = 'l'; /* numbers are made as wide as they get */
		piece->spec[n++] = 'l';
	}
	piece->spec[n++] = piece->conversion;
	*p = f;
	return true;
}

/* Splits the format string into pieces; \n, \t, \r and \\ have their meaning in C. */
bool print_format(struct print *p, const char *f, struct arena *arena)
{
	struct buf text = {0};
	bool ok = true;

	while (ok) {
		struct print_piece piece = {0};

		buf_clear(&text);
		while (*f && (*f != '%' || f[1] == '%')) {
			if (*f == '\\' && f[1]) {
				f++;
				buf_char(&text, *f == 'n'   ? '\n'
						: *f == 't' ? '\t'
						: *f == 'r' ? '\r'
							    : *f);
			} else {
				buf_char(&text, *f);
				f += *f == '%';
			}
			f++;
		}
		piece.text_len = (uint32_t)text.n;
		buf_fill(&text, 0, PRINT_BLOCK);
		piece.text = arena_copy(arena, text.at, text.n);
		if (*f) {
			f++;
			ok = conversion(&f, &piece, arena);
		}
		if (ok)
			vec_add(&p->pieces, piece);
		if (!piece.conversion)
			break;
	}
	buf_release(&text);
	return ok;
}
