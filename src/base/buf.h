/* SPDX-License-Identifier: MIT */
/*
 * A growable run of bytes: text or records that are made before they are written out. All zero is
 * valid and empty. Text appended here is not terminated; buf_text() terminates it.
 *
 * The number writers are the fast path of every text output: no locale, no format parsing.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct buf {
	char *at;
	size_t n, cap;
};

void buf_release(struct buf *b);
#define AUTO_BUF __attribute__((cleanup(buf_release))) struct buf
void buf_reserve(struct buf *b, size_t more); /* room for more bytes, at b->at + b->n */

/* Room for n more bytes; buf_end() then tells where the text written there ends. */
static inline char *buf_room(struct buf *b, size_t n)
{
	if (b->cap - b->n < n)
		buf_reserve(b, n);
	return b->at + b->n;
}
static inline void buf_end(struct buf *b, const char *end)
{
	b->n = (size_t)(end - b->at);
}
static inline void buf_clear(struct buf *b)
{
	b->n = 0;
}
static inline void buf_add(struct buf *b, const void *p, size_t n)
{
	if (b->cap - b->n < n)
		buf_reserve(b, n);
	if (n)
		memcpy(b->at + b->n, p, n);
	b->n += n;
}
/* The bytes of a number as this machine keeps it. */
static inline void buf_u16(struct buf *b, uint16_t v)
{
	buf_add(b, &v, sizeof(v));
}
static inline void buf_u32(struct buf *b, uint32_t v)
{
	buf_add(b, &v, sizeof(v));
}
static inline void buf_u64(struct buf *b, uint64_t v)
{
	buf_add(b, &v, sizeof(v));
}
static inline void buf_char(struct buf *b, char c)
{
	if (b->cap == b->n)
		buf_reserve(b, 1);
	b->at[b->n++] = c;
}
static inline void buf_str(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}
void buf_fill(struct buf *b, char c, size_t n);		     /* n times c */
void buf_left(struct buf *b, const char *s, size_t width);   /* as %-*s */
void buf_right(struct buf *b, const char *s, size_t width);  /* as %*s */
void buf_dec(struct buf *b, uint64_t v);		     /* as %llu */
void buf_sdec(struct buf *b, int64_t v);		     /* as %lld */
void buf_dec_right(struct buf *b, uint64_t v, size_t width); /* as %*llu */
void buf_dec_zero(struct buf *b, uint64_t v, size_t width);  /* as %0*llu */
void buf_hex(struct buf *b, uint64_t v);		     /* as %llx */
void buf_hex_right(struct buf *b, uint64_t v, size_t width); /* as %*llx */
void buf_hex_zero(struct buf *b, uint64_t v, size_t width);  /* as %0*llx */
/* v / 10^decimals, exactly and with so many decimals (up to BUF_POINT_MOST), right-aligned in
 * width: "  1.002" of 1002, 3 and 7. */
#define BUF_POINT_MOST 9
void buf_point(struct buf *b, uint64_t v, size_t decimals, size_t width);
/* As %.*f, with '.' before the decimals. False, with nothing appended: more than 9 decimals, or a
 * number that is infinite, not a number, 2^52 or more, or has 2^63 or more of the last digit. */
bool buf_fixed(struct buf *b, double v, size_t decimals);
void buf_word(struct buf *b, const char *word); /* adds a blank before it, unless b is empty or ends
						 * with one */
/* The usual directives (%d %i %u %x %s %c %f with widths and precisions) take no call of the C
 * library; b may not be among the arguments. */
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/*
 * Names of commands, files, functions and events come from outside. Wherever they are shown, on
 * terminals and in files, their control characters become \xNN: a terminal would obey them, or they
 * would end a line. Those of UTF-8 and of 8-bit character sets (U+0080 to U+009F) are among them.
 * All other characters stay as they are.
 */
bool text_is_safe(const char *s, size_t n);
void buf_safe(struct buf *b, const char *s);
/* Makes the bytes of b from offset from on safe in the same way. */
void buf_make_safe(struct buf *b, size_t from);
/* As buf_make_safe(), but ends of lines and tabs stay. */
void buf_make_lines_safe(struct buf *b, size_t from);
const char *buf_text(struct buf *b); /* terminated; valid until the next append */

#endif
