// SPDX-License-Identifier: MIT
/* buf_printf(): formats the usual directives itself, which takes a tenth of the C library's time
 * for "%.8f" (one number of a time chart, of which a picture has a million). */
#include "base/buf.h"
#include "base/digits.h"

#include <langinfo.h>
#include <stdarg.h>
#include <stdio.h>

enum directive_length { LENGTH_INT, LENGTH_LONG, LENGTH_LONG_LONG, LENGTH_SIZE };

/* "%-*.3f", without the percent sign. */
struct directive {
	bool left, zero, prefix; /* flags: '-', '0', '#' */
	bool has_precision;
	size_t width, precision;
	enum directive_length length;
	char kind;
};

bool buf_fixed(struct buf *b, double v, size_t decimals)
{
	const uint64_t one = (uint64_t)1 << 52;
	uint64_t bits, rounded;
	unsigned exponent, shift;
	unsigned __int128 scaled, rest, half;

	memcpy(&bits, &v, sizeof(bits));
	exponent = (unsigned)(bits >> 52 & 0x7ff);
	/* below 2^52, at least one bit is behind the binary point */
	if (decimals > BUF_POINT_MOST || exponent >= 1023 + 52)
		return false;
	shift = 1075 - (exponent ? exponent : 1);
	scaled = (unsigned __int128)((bits & (one - 1)) | (exponent ? one : 0)) *
		 digits_powers[decimals];
	if (shift > 84) { /* less than half of the last digit: 2^53 10^9 has 83 bits */
		rounded = 0;
	} else {
		if (scaled >> shift >> 63)
			return false;
		rounded = (uint64_t)(scaled >> shift);
		half = (unsigned __int128)1 << (shift - 1);
		rest = scaled & (2 * half - 1);
		/* to even, as the C library in its usual mode */
		rounded += rest > half || (rest == half && rounded & 1);
	}
	if (bits >> 63)
		buf_char(b, '-');
	buf_point(b, rounded, decimals, 0);
	return true;
}

/* Reads a number of the format, or '*' from the arguments. False: it is not usual. */
static bool directive_number(const char **fmt, va_list *ap, size_t *n)
{
	if (**fmt == '*') {
		const int given = va_arg(*ap, int);

		(*fmt)++;
		*n = (size_t)given;
		return given >= 0;
	}
	for (*n = 0; **fmt >= '0' && **fmt <= '9'; (*fmt)++)
		*n = *n * 10 + (size_t)(**fmt - '0');
	return *n < 4096;
}

static void directive_flags(const char **fmt, struct directive *d)
{
	for (;; (*fmt)++)
		if (**fmt == '-')
			d->left = true;
		else if (**fmt == '0')
			d->zero = true;
		else if (**fmt == '#')
			d->prefix = true;
		else
			return;
}

static void directive_length(const char **fmt, struct directive *d)
{
	if (**fmt == 'z') {
		d->length = LENGTH_SIZE;
		(*fmt)++;
	}
	for (; **fmt == 'l' && d->length < LENGTH_LONG_LONG; (*fmt)++)
		d->length++;
}

static bool directive_read(const char **fmt, va_list *ap, struct directive *d)
{
	*d = (struct directive){0};
	directive_flags(fmt, d);
	if (!directive_number(fmt, ap, &d->width))
		return false;
	if (**fmt == '.') {
		(*fmt)++;
		d->has_precision = true;
		if (!directive_number(fmt, ap, &d->precision))
			return false;
	}
	directive_length(fmt, d);
	d->kind = *(*fmt)++;
	return true;
}

/* Moves what was written from offset from on to the right, or fills up behind it. */
static void directive_pad(struct buf *b, size_t from, const struct directive *d)
{
	const size_t n = b->n - from, fill = n < d->width ? d->width - n : 0;
	const bool zeros = d->zero && !d->left && d->kind != 's' && d->kind != 'c';
	const size_t sign = zeros && n && b->at[from] == '-';

	if (!fill)
		return;
	buf_fill(b, ' ', fill);
	if (d->left)
		return;
	memmove(b->at + from + sign + fill, b->at + from + sign, n - sign);
	memset(b->at + from + sign, zeros ? '0' : ' ', fill);
}

static uint64_t directive_unsigned(const struct directive *d, va_list *ap)
{
	switch (d->length) {
	case LENGTH_LONG:
		return va_arg(*ap, unsigned long);
	case LENGTH_LONG_LONG:
		return va_arg(*ap, unsigned long long);
	case LENGTH_SIZE:
		return va_arg(*ap, size_t);
	case LENGTH_INT:
	default:
		return va_arg(*ap, unsigned);
	}
}

static int64_t directive_signed(const struct directive *d, va_list *ap)
{
	const uint64_t v = directive_unsigned(d, ap);

	return d->length == LENGTH_INT ? (int32_t)(uint32_t)v : (int64_t)v;
}

static bool directive_integer(struct buf *b, const struct directive *d, va_list *ap)
{
	uint64_t v;

	if (d->has_precision || (d->prefix && (d->kind != 'x' || d->width)))
		return false;
	if (d->kind == 'd' || d->kind == 'i') {
		buf_sdec(b, directive_signed(d, ap));
		return true;
	}
	v = directive_unsigned(d, ap);
	if (d->prefix && v)
		buf_add(b, "0x", 2);
	if (d->kind == 'x')
		buf_hex(b, v);
	else
		buf_dec(b, v);
	return true;
}

static bool directive_text(struct buf *b, const struct directive *d, va_list *ap)
{
	const char *s = va_arg(*ap, const char *);

	if (!s || d->length != LENGTH_INT || d->prefix)
		return false;
	buf_add(b, s, d->has_precision ? strnlen(s, d->precision) : strlen(s));
	return true;
}

/* False: no usual directive. */
static bool directive_write(struct buf *b, const struct directive *d, va_list *ap)
{
	switch (d->kind) {
	case 'd':
	case 'i':
	case 'u':
	case 'x':
		return directive_integer(b, d, ap);
	case 's':
		return directive_text(b, d, ap);
	case 'c':
		if (d->length != LENGTH_INT || d->has_precision || d->prefix)
			return false;
		buf_char(b, (char)va_arg(*ap, int));
		return true;
	case 'f':
		return !d->prefix && *nl_langinfo(RADIXCHAR) == '.' &&
		       buf_fixed(b, va_arg(*ap, double), d->has_precision ? d->precision : 6);
	default:
		return false;
	}
}

/* False at the first directive that is not usual: part of the text was appended then. */
static bool buf_print_usual(struct buf *b, const char *fmt, va_list *ap)
{
	for (;;) {
		const size_t n = (size_t)(strchrnul(fmt, '%') - fmt);
		struct directive d;
		size_t from;

		buf_add(b, fmt, n);
		fmt += n;
		if (!*fmt)
			return true;
		if (*++fmt == '%') {
			buf_char(b, *fmt++);
			continue;
		}
		from = b->n;
		if (!directive_read(&fmt, ap, &d) || !directive_write(b, &d, ap))
			return false;
		directive_pad(b, from, &d);
	}
}

/* Formats by the C library. */
static void buf_print_any(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	buf_reserve(b, 128);
	n = vsnprintf(b->at + b->n, b->cap - b->n, fmt, ap);
	if (n >= 0 && (size_t)n >= b->cap - b->n) {
		buf_reserve(b, (size_t)n + 1);
		vsnprintf(b->at + b->n, b->cap - b->n, fmt, again);
	}
	va_end(again);
	if (n > 0)
		b->n += (size_t)n;
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	const size_t from = b->n;
	va_list ap;
	bool usual;

	va_start(ap, fmt);
	usual = buf_print_usual(b, fmt, &ap);
	va_end(ap);
	if (usual)
		return;
	b->n = from;
	va_start(ap, fmt);
	buf_print_any(b, fmt, ap);
	va_end(ap);
}
