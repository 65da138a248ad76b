// SPDX-License-Identifier: MIT
#include "base/buf.h"
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>

void buf_release(struct buf *b)
{
	free(b->at);
	memset(b, 0, sizeof(*b));
}

void buf_reserve(struct buf *b, size_t more)
{
	size_t want = b->cap ? b->cap * 2 : 256;

	if (b->cap - b->n >= more)
		return;
	if (want < b->n + more)
		want = b->n + more;
	b->at = mem_resize(b->at, want);
	b->cap = want;
}

void buf_fill(struct buf *b, char c, size_t n)
{
	if (!n)
		return;
	buf_reserve(b, n);
	memset(b->at + b->n, c, n);
	b->n += n;
}

void buf_left(struct buf *b, const char *s, size_t width)
{
	size_t n = strlen(s);

	buf_add(b, s, n);
	if (n < width)
		buf_fill(b, ' ', width - n);
}

void buf_right(struct buf *b, const char *s, size_t width)
{
	size_t n = strlen(s);

	if (n < width)
		buf_fill(b, ' ', width - n);
	buf_add(b, s, n);
}

static size_t digits(char out[24], uint64_t v)
{
	char *p = out + 24;

	do {
		*--p = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	memmove(out, p, (size_t)(out + 24 - p));
	return (size_t)(out + 24 - p);
}

static size_t hex_digits(char out[16], uint64_t v)
{
	size_t n = v ? (67 - (size_t)__builtin_clzll(v)) / 4 : 1;

	for (size_t i = n; i-- > 0; v >>= 4)
		out[i] = "0123456789abcdef"[v & 15];
	return n;
}

static void padded(struct buf *b, const char *s, size_t n, size_t width, char pad)
{
	if (n < width)
		buf_fill(b, pad, width - n);
	buf_add(b, s, n);
}

void buf_dec_right(struct buf *b, uint64_t v, size_t width)
{
	char t[24];

	padded(b, t, digits(t, v), width, ' ');
}

void buf_dec_zero(struct buf *b, uint64_t v, size_t width)
{
	char t[24];

	padded(b, t, digits(t, v), width, '0');
}

void buf_dec(struct buf *b, uint64_t v)
{
	buf_dec_right(b, v, 0);
}

void buf_sdec(struct buf *b, int64_t v)
{
	if (v < 0)
		buf_char(b, '-');
	buf_dec(b, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void buf_hex_right(struct buf *b, uint64_t v, size_t width)
{
	char t[16];

	padded(b, t, hex_digits(t, v), width, ' ');
}

void buf_hex_zero(struct buf *b, uint64_t v, size_t width)
{
	char t[16];

	padded(b, t, hex_digits(t, v), width, '0');
}

void buf_hex(struct buf *b, uint64_t v)
{
	buf_hex_right(b, v, 0);
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	buf_reserve(b, 128);
	va_start(ap, fmt);
	n = vsnprintf(b->at + b->n, b->cap - b->n, fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n >= b->cap - b->n) {
		buf_reserve(b, (size_t)n + 1);
		va_start(ap, fmt);
		vsnprintf(b->at + b->n, b->cap - b->n, fmt, ap);
		va_end(ap);
	}
	if (n > 0)
		b->n += (size_t)n;
}

void buf_safe(struct buf *b, const char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c >= 0x20 && c != 0x7f) {
			buf_char(b, *s);
		} else {
			buf_str(b, "\\x");
			buf_hex_zero(b, c, 2);
		}
	}
}

const char *buf_text(struct buf *b)
{
	buf_reserve(b, 1);
	b->at[b->n] = 0;
	return b->at;
}
