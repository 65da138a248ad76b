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

/* How many decimal digits a number has. */
static size_t digits(uint64_t v)
{
	size_t n = 1;

	for (; v >= 10000; v /= 10000)
		n += 4;
	return n + (v >= 10) + (v >= 100) + (v >= 1000);
}

static size_t hex_digits(uint64_t v)
{
	return v ? (67 - (size_t)__builtin_clzll(v)) / 4 : 1;
}

/* Room for a number of n digits behind what pads it to width; returns where its last digit ends. */
static char *padded(struct buf *b, size_t n, size_t width, char pad)
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
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	char *p = padded(b, digits(v), width, pad);

	for (; v >= 10; v /= 100) {
		p -= 2;
		memcpy(p, pairs + 2 * (v % 100), 2);
		if (v < 100)
			return;
	}
	*--p = (char)('0' + v);
}

static void put_hex(struct buf *b, uint64_t v, size_t width, char pad)
{
	size_t n = hex_digits(v);
	char *p = padded(b, n, width, pad);

	for (; n; n--, v >>= 4)
		*--p = "0123456789abcdef"[v & 15];
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
	put_dec(b, v, 0, ' ');
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
	put_hex(b, v, 0, ' ');
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
