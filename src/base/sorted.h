/* SPDX-License-Identifier: MIT */
/* Binary search in arrays that are sorted by a number. */
#ifndef BASE_SORTED_H
#define BASE_SORTED_H

#include <stddef.h>
#include <stdint.h>

/* first: the number in the first element; size: of an element, in bytes. */
static inline size_t sorted_until(const uint64_t *first, size_t n, size_t size, uint64_t key)
{
	size_t low = 0, high = n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (*(const uint64_t *)((const char *)first + middle * size) <= key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* How many of the array's n elements, sorted by this member (a uint64_t), have a number up to key:
 * the index of the first one above it. array and n are evaluated twice; array may be NULL when n
 * is 0. */
#define SORTED_UNTIL(array, n, member, key)                                                        \
	((n) ? sorted_until(&(array)->member, (n), sizeof(*(array)), (key)) : 0)

#endif
