/* SPDX-License-Identifier: MIT */
/*
 * Formats numbers as digits into memory that has room for them, two digits at a time from tables. A
 * caller that formats many numbers (a line of script has about ten) reserves room once for all of
 * them.
 */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DIGITS_MAX 20 /* digits of the largest number, decimal or hexadecimal */

extern const char digits_dec_pairs[201]; /* "00" to "99" */
extern const char digits_hex_pairs[513]; /* "00" to "ff" */
extern const uint64_t digits_powers[20]; /* of ten */

/* How many decimal digits a number has. */
static inline size_t digits_dec_count(uint64_t v)
{
	/* log10(2) is about 1233/4096: the estimate from the number of bits is right, or one too
	 * low */
	size_t n = (64 - (size_t)__builtin_clzll(v | 1)) * 1233 >> 12;

	return n + (v >= digits_powers[n]) + !v;
}

static inline size_t digits_hex_count(uint64_t v)
{
	return (67 - (size_t)__builtin_clzll(v | 1)) / 4;
}

/* Writes the decimal digits of a number; the last one is at end - 1. */
static inline void digits_dec_before(char *end, uint64_t v)
{
	for (; v >= 100; v /= 100) {
		end -= 2;
		memcpy(end, digits_dec_pairs + 2 * (v % 100), 2);
	}
	if (v >= 10)
		memcpy(end - 2, digits_dec_pairs + 2 * v, 2);
	else
		end[-1] = (char)('0' + v);
}

/* Writes the last n decimal digits of a number, zeros included; the last one is at end - 1. */
static inline void digits_zero_before(char *end, uint64_t v, size_t n)
{
	for (; n >= 2; n -= 2, v /= 100) {
		end -= 2;
		memcpy(end, digits_dec_pairs + 2 * (v % 100), 2);
	}
	if (n)
		end[-1] = (char)('0' + v % 10);
}

static inline void digits_hex_before(char *end, uint64_t v)
{
	for (; v >= 0x100; v >>= 8) {
		end -= 2;
		memcpy(end, digits_hex_pairs + 2 * (v & 0xff), 2);
	}
	if (v >= 0x10)
		memcpy(end - 2, digits_hex_pairs + 2 * v, 2);
	else
		end[-1] = digits_hex_pairs[2 * v + 1];
}

/* The eight hexadecimal digits of a word, the first one in the lowest byte, of all bytes
 * at once. */
static inline uint64_t digits_hex_bytes(uint32_t v)
{
	uint64_t x = v;

	x = (x << 32 | x >> 16) &
	    0x0000ffff0000ffffu; /* its halves change places: the first digits are to be lowest */
	x = (x << 16 | x >> 8) & 0x00ff00ff00ff00ffu;
	x = (x << 8 | x >> 4) & 0x0f0f0f0f0f0f0f0fu;
	return x + 0x3030303030303030u +
	       ((x + 0x0606060606060606u) >> 4 & 0x0101010101010101u) * ('a' - '0' - 10);
}

/* Writes eight characters, the first one in the lowest byte of word. The first n of them become
 * blanks. */
static inline void digits_put8(char *p, uint64_t word, size_t n)
{
	const uint64_t blank = n < 8 ? (1ull << 8 * n) - 1 : UINT64_MAX;

	word = (word & ~blank) | (0x2020202020202020u & blank);
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		word = __builtin_bswap64(word);
	memcpy(p, &word, sizeof(word));
}

/* As %16llx. */
static inline void digits_hex16(char p[16], uint64_t v)
{
	const size_t blanks = 16 - digits_hex_count(v);

	digits_put8(p, digits_hex_bytes((uint32_t)(v >> 32)), blanks);
	digits_put8(p + 8, digits_hex_bytes((uint32_t)v), blanks > 8 ? blanks - 8 : 0);
}

/* As %llu, %lld and %llx; they return where the digits end. */
static inline char *digits_dec(char *p, uint64_t v)
{
	p += digits_dec_count(v);
	digits_dec_before(p, v);
	return p;
}
static inline char *digits_sdec(char *p, int64_t v)
{
	if (v >= 0)
		return digits_dec(p, (uint64_t)v);
	*p = '-';
	return digits_dec(p + 1, 0 - (uint64_t)v);
}
static inline char *digits_hex(char *p, uint64_t v)
{
	p += digits_hex_count(v);
	digits_hex_before(p, v);
	return p;
}
/* The three and six digits of a number below a thousand and a million, zeros included. */
static inline char *digits_3(char *p, uint32_t v)
{
	memcpy(p, digits_dec_pairs + 2 * (v / 10), 2);
	p[2] = (char)('0' + v % 10);
	return p + 3;
}
static inline char *digits_6(char *p, uint32_t v)
{
	uint32_t high = v / 10000, low = v % 10000;

	memcpy(p, digits_dec_pairs + 2 * high, 2);
	memcpy(p + 2, digits_dec_pairs + 2 * (low / 100), 2);
	memcpy(p + 4, digits_dec_pairs + 2 * (low % 100), 2);
	return p + 6;
}

/* As buf_point(), with room for DIGITS_MAX + 2 bytes, and for the width and 15 more. Fast where
 * decimals is a constant. */
#define DIGITS_POINT_ROOM(width) (DIGITS_MAX + 2 + (width) + 15)
static inline char *digits_point(char *p, uint64_t v, size_t decimals, size_t width)
{
	const uint64_t whole = decimals == 3   ? v / 1000
			       : decimals == 6 ? v / 1000000
					       : v / digits_powers[decimals];
	const size_t digits = digits_dec_count(whole), n = digits + 1 + decimals;

	for (size_t at = 0; at + n < width; at += 16)
		memset(p + at, ' ', 16);
	p += n < width ? width - n : 0;
	digits_dec_before(p + digits, whole);
	p += digits;
	*p++ = '.';
	if (decimals == 3)
		return digits_3(p, (uint32_t)(v - whole * 1000));
	if (decimals == 6)
		return digits_6(p, (uint32_t)(v - whole * 1000000));
	digits_zero_before(p + decimals, v, decimals);
	return p + decimals;
}

#endif
