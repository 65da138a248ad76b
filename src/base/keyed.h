/* SPDX-License-Identifier: MIT */
/*
 * Sorting many ids by a number each, without looking at what they are ids of: a radix sort of as
 * many passes as the numbers differ in bytes, none when they are in order already.
 */
#ifndef BASE_KEYED_H
#define BASE_KEYED_H

#include <stddef.h>
#include <stdint.h>

struct keyed {
	uint64_t key;
	uint32_t id;
};

/* Ascending by key; equal ones keep their order. Takes as much memory as at has, for a while. */
void keyed_sort(struct keyed *at, size_t n);

#endif
