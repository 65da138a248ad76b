/* SPDX-License-Identifier: MIT */
/*
 * Sorts many ids by a number that each has: a radix sort with one pass for each byte in which the
 * numbers differ, and none when they are in order already.
 */
#ifndef BASE_KEYED_H
#define BASE_KEYED_H

#include <stddef.h>
#include <stdint.h>

struct keyed {
	uint64_t key;
	uint32_t id;
};

/* Ascending by key; equal ones keep their order. Allocates as much memory as at has, and frees it
 * again. */
void keyed_sort(struct keyed *at, size_t n);

#endif
