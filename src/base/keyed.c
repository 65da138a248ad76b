// SPDX-License-Identifier: MIT
#include "base/keyed.h"

#include "base/mem.h"

#include <stdbool.h>
#include <string.h>

#define BITS   8
#define DIGITS (1 << BITS)
#define PASSES (64 / BITS)

static unsigned int digit_of(uint64_t key, unsigned int pass)
{
	return (unsigned int)(key >> (pass * BITS)) & (DIGITS - 1);
}

static bool in_order(const struct keyed *at, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (at[i].key < at[i - 1].key)
			return false;
	return true;
}

/* Moves all elements from from to to, sorted by one digit. starts: the number of elements with each
 * digit; it becomes the index where the next one goes. */
static void move_by_digit(const struct keyed *from, struct keyed *to, size_t n, unsigned int pass,
			  size_t starts[DIGITS])
{
	size_t start = 0;

	for (size_t d = 0; d < DIGITS; d++) {
		const size_t have = starts[d];

		starts[d] = start;
		start += have;
	}
	for (size_t i = 0; i < n; i++)
		to[starts[digit_of(from[i].key, pass)]++] = from[i];
}

void keyed_sort(struct keyed *at, size_t n)
{
	size_t (*have)[DIGITS];
	struct keyed *from = at, *to, *room;

	if (in_order(at, n))
		return;
	have = mem_zero(sizeof(size_t[PASSES][DIGITS]));
	to = room = mem_alloc(n * sizeof(*room));
	for (size_t i = 0; i < n; i++)
		for (unsigned int p = 0; p < PASSES; p++)
			have[p][digit_of(at[i].key, p)]++;
	for (unsigned int p = 0; p < PASSES; p++) {
		struct keyed *moved = to;

		if (have[p][digit_of(from->key, p)] == n)
			continue; /* all keys have the same digit here */
		move_by_digit(from, to, n, p, have[p]);
		to = from;
		from = moved;
	}
	if (from != at)
		memcpy(at, from, n * sizeof(*at));
	free(room);
	free(have);
}
