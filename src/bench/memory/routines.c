// SPDX-License-Identifier: MIT
#include "bench/memory/routines.h"

#include <stdint.h>
#include <string.h>

#ifdef __x86_64__

static void *copy_unrolled(void *to, const void *from, size_t n)
{
	unsigned char *p = to;
	const unsigned char *q = from;

	for (; n >= 64; n -= 64, p += 64, q += 64) {
		uint64_t a, b, c, d;

		__asm__ volatile(
			"movq (%5), %0\n\tmovq 8(%5), %1\n\tmovq 16(%5), %2\n\tmovq 24(%5), %3\n\t"
			"movq %0, (%4)\n\tmovq %1, 8(%4)\n\tmovq %2, 16(%4)\n\tmovq %3, 24(%4)\n\t"
			"movq 32(%5), %0\n\tmovq 40(%5), %1\n\tmovq 48(%5), %2\n\tmovq 56(%5), "
			"%3\n\t"
			"movq %0, 32(%4)\n\tmovq %1, 40(%4)\n\tmovq %2, 48(%4)\n\tmovq %3, 56(%4)"
			: "=&r"(a), "=&r"(b), "=&r"(c), "=&r"(d)
			: "r"(p), "r"(q)
			: "memory");
	}
	__asm__ volatile("rep movsb" : "+D"(p), "+S"(q), "+c"(n) : : "memory");
	return to;
}

static void *copy_words(void *to, const void *from, size_t n)
{
	void *p = to;
	size_t words = n / 8, rest = n % 8;

	__asm__ volatile("rep movsq" : "+D"(p), "+S"(from), "+c"(words) : : "memory");
	__asm__ volatile("rep movsb" : "+D"(p), "+S"(from), "+c"(rest) : : "memory");
	return to;
}

static void *copy_bytes(void *to, const void *from, size_t n)
{
	void *p = to;

	__asm__ volatile("rep movsb" : "+D"(p), "+S"(from), "+c"(n) : : "memory");
	return to;
}

static void *fill_unrolled(void *at, int byte, size_t n)
{
	const uint64_t word = (unsigned char)byte * 0x0101010101010101u;
	unsigned char *p = at;

	for (; n >= 64; n -= 64, p += 64)
		__asm__ volatile(
			"movq %1, (%0)\n\tmovq %1, 8(%0)\n\tmovq %1, 16(%0)\n\tmovq %1, 24(%0)\n\t"
			"movq %1, 32(%0)\n\tmovq %1, 40(%0)\n\tmovq %1, 48(%0)\n\tmovq %1, 56(%0)"
			:
			: "r"(p), "r"(word)
			: "memory");
	__asm__ volatile("rep stosb" : "+D"(p), "+c"(n) : "a"(byte) : "memory");
	return at;
}

static void *fill_words(void *at, int byte, size_t n)
{
	const uint64_t word = (unsigned char)byte * 0x0101010101010101u;
	size_t words = n / 8, rest = n % 8;
	void *p = at;

	__asm__ volatile("rep stosq" : "+D"(p), "+c"(words) : "a"(word) : "memory");
	__asm__ volatile("rep stosb" : "+D"(p), "+c"(rest) : "a"(byte) : "memory");
	return at;
}

static void *fill_bytes(void *at, int byte, size_t n)
{
	void *p = at;

	__asm__ volatile("rep stosb" : "+D"(p), "+c"(n) : "a"(byte) : "memory");
	return at;
}

#endif

const struct copy_routine copy_routines[] = {
	{"default", "Default memcpy() provided by glibc", memcpy},
#ifdef __x86_64__
	{"x86-64-unrolled", "unrolled memcpy(), 64 bytes a turn", copy_unrolled},
	{"x86-64-movsq", "movsq-based memcpy()", copy_words},
	{"x86-64-movsb", "movsb-based memcpy()", copy_bytes},
#endif
	{0},
};

const struct fill_routine fill_routines[] = {
	{"default", "Default memset() provided by glibc", memset},
#ifdef __x86_64__
	{"x86-64-unrolled", "unrolled memset(), 64 bytes a turn", fill_unrolled},
	{"x86-64-stosq", "stosq-based memset()", fill_words},
	{"x86-64-stosb", "stosb-based memset()", fill_bytes},
#endif
	{0},
};
