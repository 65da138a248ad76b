/* SPDX-License-Identifier: MIT */
/*
 * Sorting by insertion into a red-black tree.
 *
 * With a consistent comparison this is a stable sort. Comparisons of the reference are not always
 * consistent: differences that wrap, rules that hold only between rows of one thread. The resulting
 * order then depends on the shape of the tree, so the same tree is built here: the textbook's
 * (Cormen et al., Introduction to Algorithms, chapter 13), with equal elements to the right.
 */
#ifndef PROFILE_TREE_SORT_H
#define PROFILE_TREE_SORT_H

#include <stddef.h>

/* Sorts at[0..n); order(ctx, a, b) is < 0 when a, which is being inserted, stands before b. */
void tree_sort(void **at, size_t n, int (*order)(void *ctx, const void *a, const void *b),
	       void *ctx);

#endif
