/* SPDX-License-Identifier: MIT */
/*
 * A position in bytes that came from outside: bounds-checked, aware of byte order, with a sticky
 * "bad" flag. The only way to read bytes of files and rings.
 *
 * A read past the end sets bad, moves nothing and returns 0 (or NULL): a decoder reads all its
 * fields and tests bad once. Pointers returned borrow the bytes.
 */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Adds a size from outside to a position. The sum does not wrap around, however large the size
 * is. */
static inline uint64_t position_after(uint64_t at, uint64_t n)
{
	return n > UINT64_MAX - at ? UINT64_MAX : at + n;
}

struct cursor {
	const uint8_t *p, *end;
	bool swap; /* the bytes are in the other byte order than this machine's */
	bool bad;  /* something did not fit */
};

static inline struct cursor cursor_over(const void *p, size_t n, bool swap)
{
	/* p may be NULL when n is 0 */
	return (struct cursor){.p = p, .end = n ? (const uint8_t *)p + n : p, .swap = swap};
}
static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->p);
}
/* n bytes as they are, or NULL */
static inline const void *cursor_bytes(struct cursor *c, size_t n)
{
	const void *p = c->p;

	if (n > cursor_left(c)) {
		c->bad = true;
		return NULL;
	}
	if (n)
		c->p += n;
	return p;
}
static inline void cursor_skip(struct cursor *c, size_t n)
{
	(void)cursor_bytes(c, n);
}
static inline uint8_t cursor_u8(struct cursor *c)
{
	const uint8_t *p = cursor_bytes(c, 1);

	return p ? *p : 0;
}
static inline uint16_t cursor_u16(struct cursor *c)
{
	const void *p = cursor_bytes(c, 2);
	uint16_t v = 0;

	if (p)
		memcpy(&v, p, 2);
	return c->swap ? __builtin_bswap16(v) : v;
}
static inline uint32_t cursor_u32(struct cursor *c)
{
	const void *p = cursor_bytes(c, 4);
	uint32_t v = 0;

	if (p)
		memcpy(&v, p, 4);
	return c->swap ? __builtin_bswap32(v) : v;
}
static inline uint64_t cursor_u64(struct cursor *c)
{
	const void *p = cursor_bytes(c, 8);
	uint64_t v = 0;

	if (p)
		memcpy(&v, p, 8);
	return c->swap ? __builtin_bswap64(v) : v;
}
/* A terminated string that takes n bytes; the text must end within them, else bad and NULL. */
static inline const char *cursor_str(struct cursor *c, size_t n)
{
	const char *s = cursor_bytes(c, n);

	if (s && !memchr(s, 0, n)) {
		c->bad = true;
		s = NULL;
	}
	return s;
}
/* The next n bytes as a cursor of their own; c moves behind them. */
static inline struct cursor cursor_sub(struct cursor *c, size_t n)
{
	struct cursor sub = {.swap = c->swap};
	const uint8_t *p = cursor_bytes(c, n);

	if (p) {
		sub.p = p;
		sub.end = p + n;
	} else {
		sub.bad = true;
	}
	return sub;
}

#endif
