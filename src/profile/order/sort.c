// SPDX-License-Identifier: MIT
/*
 * Sorting by columns of numbers. Columns with a consistent comparison take a radix sort, the last
 * column first, which is stable. With an inconsistent one, the tree of the reference is built
 * (tree_sort.h). Its rows are made narrow before, so that a step down the tree reads two cache
 * lines.
 */
#include "profile/order/columns.h"

#include "base/rbtree.h"

#include <string.h>

#define DIGIT 8 /* bits */

/* Moves at[0..n) into to, in order of one digit. */
static void sort_by_digit(const uint64_t *column, unsigned int shift, const uint32_t *at,
			  uint32_t *to, size_t n)
{
	uint32_t starts[1 << DIGIT] = {0}, next = 0;

	for (size_t i = 0; i < n; i++)
		starts[(uint8_t)(column[at[i]] >> shift)]++;
	for (size_t d = 0; d < ARRAY_SIZE(starts); d++) {
		uint32_t count = starts[d];

		starts[d] = next;
		next += count;
	}
	for (size_t i = 0; i < n; i++)
		to[starts[(uint8_t)(column[at[i]] >> shift)]++] = at[i];
}

static void sort_by_digits(const struct order_columns *c, size_t first, size_t end, uint32_t *at)
{
	uint32_t *spare = mem_alloc(c->n * sizeof(*spare)), *from = at, *to = spare;

	for (size_t k = end; k-- > first;) {
		const uint64_t *column = c->columns.at[k].at;
		uint64_t differ = 0;

		for (size_t i = 1; i < c->n; i++)
			differ |= column[i] ^ column[0];
		for (unsigned int shift = 0; shift < 64; shift += DIGIT) {
			uint32_t *done = from;

			if (!(uint8_t)(differ >> shift))
				continue;
			sort_by_digit(column, shift, from, to, c->n);
			from = to;
			to = done;
		}
	}
	if (from != at)
		memcpy(at, from, c->n * sizeof(*at));
	free(spare);
}

bool order_columns_agree(const struct order_columns *c, size_t first, size_t end)
{
	for (size_t k = first; k < end; k++)
		if (c->columns.at[k].kind != ORDER_NUMBER)
			return false;
	return true;
}

/* -- the tree -- */

/* The rows of the tree, in one array. Neighbouring columns of ORDER_NUMBER are merged into one.
 * Rows stand in the order of insertion, so that a row is found without reading its node. */
struct rows {
	uint64_t *at;
	size_t width;
	enum order_kind *kinds;
	const uint32_t *places; /* entry -> row */
};

static bool same_row(const struct order_columns *c, size_t first, size_t end, uint32_t i,
		     uint32_t j)
{
	for (size_t k = first; k < end; k++)
		if (c->columns.at[k].at[i] != c->columns.at[k].at[j])
			return false;
	return true;
}

/* Merges these columns into one, which numbers the rows in their order; equal rows get one
 * number. */
static void number_rows(const struct order_columns *c, size_t first, size_t end, struct rows *rows)
{
	uint32_t *at = mem_alloc(c->n * sizeof(*at));
	uint64_t number = 0;

	for (size_t i = 0; i < c->n; i++)
		at[i] = (uint32_t)i;
	sort_by_digits(c, first, end, at);
	for (size_t i = 0; i < c->n; i++) {
		number += i && !same_row(c, first, end, at[i - 1], at[i]);
		rows->at[rows->places[at[i]] * rows->width] = number;
	}
	free(at);
}

static void rows_init(struct rows *rows, const struct order_columns *c, size_t first, size_t end,
		      const uint32_t *places)
{
	struct rows column;

	rows->width = 0;
	rows->places = places;
	rows->at = mem_alloc(c->n * (end - first) * sizeof(*rows->at));
	rows->kinds = mem_alloc((end - first) * sizeof(*rows->kinds));
	for (size_t k = first; k < end; k++)
		if (k == first || c->columns.at[k].kind != ORDER_NUMBER ||
		    c->columns.at[k - 1].kind != ORDER_NUMBER)
			rows->kinds[rows->width++] = c->columns.at[k].kind;
	column = *rows;
	for (size_t k = first, next; k < end; k = next, column.at++) {
		next = k + 1;
		while (c->columns.at[k].kind == ORDER_NUMBER && next < end &&
		       c->columns.at[next].kind == ORDER_NUMBER)
			next++;
		if (c->columns.at[k].kind == ORDER_NUMBER)
			number_rows(c, k, next, &column);
		for (size_t i = 0; i < c->n && c->columns.at[k].kind != ORDER_NUMBER; i++)
			column.at[rows->places[i] * rows->width] = c->columns.at[k].at[i];
	}
}

/* True when a stands before b. */
static inline bool row_is_before(const struct rows *rows, const uint64_t *a, const uint64_t *b)
{
	for (size_t k = 0; k < rows->width; k++) {
		if (a[k] == b[k] ||
		    (rows->kinds[k] == ORDER_WITHIN && (uint32_t)a[k] != (uint32_t)b[k]))
			continue;
		if (rows->kinds[k] == ORDER_WRAPS)
			return (int64_t)(a[k] - b[k]) < 0;
		return a[k] < b[k];
	}
	return false;
}

/* Node i + 1 is row i. */
static void rows_grow_tree(struct rb_tree *tree, const struct rows *rows, size_t n)
{
	for (uint32_t x = 1; x <= n; x++) {
		const uint64_t *row = rows->at + (x - 1) * rows->width;
		uint32_t up = RB_NIL;
		int side = 0;

		for (uint32_t i = tree->root; i != RB_NIL; i = tree->at[i].child[side]) {
			const uint32_t *child = tree->at[i].child;

			for (int k = 0; k < 2; k++) {
				__builtin_prefetch(&tree->at[child[k]]);
				__builtin_prefetch(rows->at +
						   (size_t)(child[k] - (child[k] != RB_NIL)) *
							   rows->width);
			}
			up = i;
			side = !row_is_before(rows, row, rows->at + (i - 1) * rows->width);
		}
		rb_insert(tree, x, up, side);
	}
}

static void sort_in_tree(const struct order_columns *c, size_t first, size_t end, uint32_t *at)
{
	struct rb_tree tree = {.at = mem_zero((c->n + 1) * sizeof(*tree.at))};
	uint32_t *sorted = mem_alloc(c->n * sizeof(*sorted));
	struct rows rows;
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		sorted[at[i]] = (uint32_t)i;
	rows_init(&rows, c, first, end, sorted);
	rows_grow_tree(&tree, &rows, c->n);
	for (uint32_t x = rb_first(&tree); x != RB_NIL; x = rb_next(&tree, x))
		sorted[n++] = at[x - 1];
	memcpy(at, sorted, n * sizeof(*at));
	free(sorted);
	free(tree.at);
	free(rows.at);
	free(rows.kinds);
}

void order_columns_sort(const struct order_columns *c, size_t first, size_t end, uint32_t *at)
{
	if (!c->n || first == end)
		return;
	if (order_columns_agree(c, first, end))
		sort_by_digits(c, first, end, at);
	else
		sort_in_tree(c, first, end, at);
}
