// SPDX-License-Identifier: MIT
/* Rows sorted by columns of numbers, those that contradict themselves like the tree they would
 * grow. */
#include "unit.h"

#include "profile/order/columns.h"
#include "profile/order/tree_sort.h"

#define ROWS 3000

static void put(struct order_columns *c, enum order_kind kind, size_t n, const uint64_t *values)
{
	memcpy(order_columns_add(c, kind), values, n * sizeof(*values));
}

static void sorted(const struct order_columns *c, size_t first, size_t end, uint32_t *at)
{
	for (uint32_t i = 0; i < c->n; i++)
		at[i] = i;
	order_columns_sort(c, first, end, at);
}

static void later_columns_decide_what_earlier_leave_equal(void **state)
{
	struct order_columns c;
	uint32_t at[5];

	(void)state;
	order_columns_init(&c, NULL, 5);
	put(&c, ORDER_NUMBER, 5, (uint64_t[]){300, 1ull << 63, 300, 0, 300});
	put(&c, ORDER_NUMBER, 5, (uint64_t[]){9, 0, 8, 7, 9});
	sorted(&c, 0, 2, at);
	assert_memory_equal(at, ((uint32_t[]){3, 2, 0, 4, 1}), sizeof(at));
	sorted(&c, 1, 2, at);
	assert_memory_equal(at, ((uint32_t[]){1, 3, 2, 0, 4}), sizeof(at));
	/* none at all: as they stood */
	sorted(&c, 1, 1, at);
	assert_memory_equal(at, ((uint32_t[]){0, 1, 2, 3, 4}), sizeof(at));
	assert_true(order_columns_agree(&c, 0, 2));
	order_columns_release(&c);
}

static void depths_count_within_one_thread_only(void **state)
{
	struct order_columns c;
	uint32_t at[4];

	(void)state;
	order_columns_init(&c, NULL, 4);
	put(&c, ORDER_NUMBER, 4, (uint64_t[]){5, 5, 5, 4});
	put(&c, ORDER_WITHIN, 4,
	    (uint64_t[]){9ull << 32 | 1, 8ull << 32 | 2, 7ull << 32 | 1, 6ull << 32 | 2});
	/* 2 stands before 0 as both are of thread 1; 1 is equal to both */
	sorted(&c, 0, 2, at);
	assert_memory_equal(at, ((uint32_t[]){3, 2, 0, 1}), sizeof(at));
	assert_false(order_columns_agree(&c, 0, 2));
	assert_true(order_columns_agree(&c, 0, 1));
	order_columns_release(&c);
}

static void differences_that_wrap_are_no_order(void **state)
{
	struct order_columns c;
	uint32_t at[3];

	(void)state;
	order_columns_init(&c, NULL, 3);
	/* each stands before the next one, and the last one before the first */
	put(&c, ORDER_WRAPS, 3, (uint64_t[]){0, 0x6000000000000000, 0xc000000000000000});
	sorted(&c, 0, 1, at);
	assert_memory_equal(at, ((uint32_t[]){2, 0, 1}), sizeof(at));
	order_columns_release(&c);
}

/* -- against the tree itself, one comparison at a time -- */

static int compare(void *ctx, const void *a, const void *b)
{
	const struct order_columns *c = ctx;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;

	for (size_t k = 0; k < c->columns.n; k++) {
		uint64_t x = c->columns.at[k].at[i], y = c->columns.at[k].at[j];

		switch (c->columns.at[k].kind) {
		case ORDER_NUMBER:
			if (x != y)
				return x < y ? -1 : 1;
			break;
		case ORDER_WITHIN:
			if ((uint32_t)x == (uint32_t)y && x >> 32 != y >> 32)
				return x >> 32 < y >> 32 ? -1 : 1;
			break;
		case ORDER_WRAPS:
			if (x != y)
				return (int64_t)(x - y) < 0 ? -1 : 1;
			break;
		}
	}
	return 0;
}

static uint64_t drawn(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

static void many_rows_stand_as_in_the_tree(void **state)
{
	static const enum order_kind kinds[][4] = {
		{ORDER_NUMBER, ORDER_WITHIN, ORDER_NUMBER, ORDER_NUMBER},
		{ORDER_NUMBER, ORDER_NUMBER, ORDER_WRAPS, ORDER_NUMBER},
		{ORDER_WRAPS, ORDER_WITHIN, ORDER_NUMBER, ORDER_WRAPS},
		{ORDER_NUMBER, ORDER_NUMBER, ORDER_NUMBER, ORDER_NUMBER},
	};
	uint32_t *at = mem_alloc(ROWS * sizeof(*at)), *own = mem_alloc(ROWS * sizeof(*own));
	void **rows = mem_alloc(ROWS * sizeof(*rows));
	uint64_t seed = 1;

	(void)state;
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		struct order_columns c;

		order_columns_init(&c, NULL, ROWS);
		for (size_t i = 0; i < ARRAY_SIZE(kinds[k]); i++) {
			uint64_t *column = order_columns_add(&c, kinds[k][i]);

			for (size_t row = 0; row < ROWS; row++)
				column[row] = kinds[k][i] == ORDER_WRAPS ? drawn(&seed) % 9 << 61
					      : kinds[k][i] == ORDER_WITHIN
						      ? drawn(&seed) % 4 << 32 | drawn(&seed) % 3
						      : drawn(&seed) % 5 * 1000000007u;
		}
		for (uint32_t i = 0; i < ROWS; i++) {
			own[i] = i;
			rows[i] = &own[i];
		}
		tree_sort(rows, ROWS, compare, &c);
		sorted(&c, 0, c.columns.n, at);
		for (size_t i = 0; i < ROWS; i++)
			assert_int_equal(at[i], *(uint32_t *)rows[i]);
		order_columns_release(&c);
	}
	free(rows);
	free(own);
	free(at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(later_columns_decide_what_earlier_leave_equal),
		cmocka_unit_test(depths_count_within_one_thread_only),
		cmocka_unit_test(differences_that_wrap_are_no_order),
		cmocka_unit_test(many_rows_stand_as_in_the_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
