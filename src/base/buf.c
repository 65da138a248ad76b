// SPDX-License-Identifier: MIT
#include "base/buf.h"
#include "base/digits.h"
#include "base/mem.h"

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

/* Up to so many bytes of padding are filled by a store of fixed size, without a call. */
#define PADDING_SHORT 32

/* Appends n times c, and makes room for more bytes. */
static inline void buf_pad(struct buf *b, char c, size_t n, size_t more)
{
	if (b->cap - b->n < n + more + PADDING_SHORT)
		buf_reserve(b, n + more + PADDING_SHORT);
	if (n <= PADDING_SHORT)
		memset(b->at + b->n, c, PADDING_SHORT);
	else
		memset(b->at + b->n, c, n);
	b->n += n;
}

void buf_fill(struct buf *b, char c, size_t n)
{
	buf_pad(b, c, n, 0);
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

/* Appends the padding of a number of n digits up to width, and room for the digits. Returns the end
 * of that room. */
static inline char *padded(struct buf *b, size_t n, size_t width, char pad)
{
	buf_pad(b, pad, n < width ? width - n : 0, n);
	b->n += n;
	return b->at + b->n;
}

static void put_dec(struct buf *b, uint64_t v, size_t width, char pad)
{
	digits_dec_before(padded(b, digits_dec_count(v), width, pad), v);
}

static void buf_put_hex(struct buf *b, uint64_t v, size_t width, char pad)
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

void buf_point(struct buf *b, uint64_t v, size_t decimals, size_t width)
{
	if (!decimals) {
		buf_dec_right(b, v, width);
		return;
	}
	buf_end(b, digits_point(buf_room(b, DIGITS_POINT_ROOM(width)), v, decimals, width));
}

void buf_sdec(struct buf *b, int64_t v)
{
	if (v < 0)
		buf_char(b, '-');
	buf_dec(b, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void buf_hex_right(struct buf *b, uint64_t v, size_t width)
{
	if (width != 16) {
		buf_put_hex(b, v, width, ' ');
		return;
	}
	buf_reserve(b, 16);
	digits_hex16(b->at + b->n, v);
	b->n += 16;
}

void buf_hex_zero(struct buf *b, uint64_t v, size_t width)
{
	buf_put_hex(b, v, width, '0');
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

#define EACH_BYTE(c) (0x0101010101010101ull * (c))

/* True when a byte of the word is a control character or not ASCII. */
static bool word_is_odd(uint64_t w)
{
	const uint64_t del = w ^ EACH_BYTE(0x7f);

	return ((w - EACH_BYTE(0x20)) | (del - EACH_BYTE(1)) | w) & EACH_BYTE(0x80);
}

/* Counts printable ASCII bytes from s on, in steps of words: it may stop early. The caller checks
 * the rest byte by byte. */
static size_t plain_length(const char *s, size_t n)
{
	size_t done = 0;
	uint64_t w;

	for (; n - done >= sizeof(w); done += sizeof(w)) {
		memcpy(&w, s + done, sizeof(w));
		if (word_is_odd(w))
			break;
	}
	return done;
}

/* The length in bytes of the character at s, at most n. Sets *safe when the character may be
 * shown. */
static size_t character(const uint8_t *s, size_t n, bool *safe)
{
	const size_t len = *s < 0xc2 ? 1 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : *s < 0xf5 ? 4 : 1;

	*safe = (*s >= 0x20 && *s < 0x7f) || *s >= 0xa0;
	if (len == 1 || len > n)
		return 1;
	for (size_t i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 1;
	*safe = *s != 0xc2 || s[1] >= 0xa0;
	return *safe ? len : 1;
}

/* The offset of the first byte of s that may not be shown; n when there is none. */
static size_t safe_length(const char *s, size_t n)
{
	size_t done = plain_length(s, n);
	bool safe = true;

	while (done < n) {
		const size_t len = character((const uint8_t *)s + done, n - done, &safe);

		if (!safe)
			return done;
		done += len;
	}
	return n;
}

bool text_is_safe(const char *s, size_t n)
{
	return safe_length(s, n) == n;
}

static void add_safe(struct buf *b, const char *s, size_t n, bool lines)
{
	while (n) {
		const size_t good = safe_length(s, n);

		buf_add(b, s, good);
		s += good;
		n -= good;
		if (!n)
			return;
		if (lines && (*s == '\n' || *s == '\t')) {
			buf_char(b, *s);
		} else {
			buf_str(b, "\\x");
			buf_hex_zero(b, (uint8_t)*s, 2);
		}
		s++;
		n--;
	}
}

void buf_safe(struct buf *b, const char *s)
{
	add_safe(b, s, strlen(s), false);
}

static void make_safe(struct buf *b, size_t from, bool lines)
{
	const size_t n = b->n - from;
	AUTO_BUF text = {0};

	if (text_is_safe(b->at + from, n))
		return;
	buf_add(&text, b->at + from, n);
	b->n = from;
	add_safe(b, text.at, text.n, lines);
}

void buf_make_safe(struct buf *b, size_t from)
{
	make_safe(b, from, false);
}

void buf_make_lines_safe(struct buf *b, size_t from)
{
	make_safe(b, from, true);
}

const char *buf_text(struct buf *b)
{
	buf_reserve(b, 1);
	b->at[b->n] = 0;
	return b->at;
}
