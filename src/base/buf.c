// SPDX-License-Identifier: MIT
#include "base/buf.h"
#include "base/digits.h"
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

/* Room for a number of n digits behind what pads it to width; returns where its last digit ends. */
static inline char *padded(struct buf *b, size_t n, size_t width, char pad)
{
	size_t fill = n < width ? width - n : 0;

	if (b->cap - b->n < fill + n)
		buf_reserve(b, fill + n);
	if (fill)
		memset(b->at + b->n, pad, fill);
	b->n += fill + n;
	return b->at + b->n;
}

static void put_dec(struct buf *b, uint64_t v, size_t width, char pad)
{
	digits_dec_before(padded(b, digits_dec_count(v), width, pad), v);
}

static void put_hex(struct buf *b, uint64_t v, size_t width, char pad)
{
	digits_hex_before(padded(b, digits_hex_count(v), width, pad), v);
}

void buf_dec_right(struct buf *b, uint64_t v, size_t width)
{
	put_dec(b, v, width, ' ');
}

void buf_dec_zero(struct buf *b, uint64_t v, size_t width)
{
	put_dec(b, v, width, '0');
}

void buf_dec(struct buf *b, uint64_t v)
{
	buf_reserve(b, DIGITS_MAX);
	b->n = (size_t)(digits_dec(b->at + b->n, v) - b->at);
}

void buf_sdec(struct buf *b, int64_t v)
{
	if (v < 0)
		buf_char(b, '-');
	buf_dec(b, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void buf_hex_right(struct buf *b, uint64_t v, size_t width)
{
	put_hex(b, v, width, ' ');
}

void buf_hex_zero(struct buf *b, uint64_t v, size_t width)
{
	put_hex(b, v, width, '0');
}

void buf_hex(struct buf *b, uint64_t v)
{
	buf_reserve(b, DIGITS_MAX);
	b->n = (size_t)(digits_hex(b->at + b->n, v) - b->at);
}

void buf_word(struct buf *b, const char *word)
{
	if (b->n && b->at[b->n - 1] != ' ')
		buf_char(b, ' ');
	buf_str(b, word);
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
	const char *from = s;

	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c >= 0x20 && c != 0x7f)
			continue;
		buf_add(b, from, (size_t)(s - from));
		buf_str(b, "\\x");
		buf_hex_zero(b, c, 2);
		from = s + 1;
	}
	buf_add(b, from, (size_t)(s - from));
}

const char *buf_text(struct buf *b)
{
	buf_reserve(b, 1);
	b->at[b->n] = 0;
	return b->at;
}
