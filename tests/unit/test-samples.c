// SPDX-License-Identifier: MIT
/* Cells, and samples that tables are made of several times. */
#include "unit.h"

#include "profile/samples/cell.h"

/* Workers fold on their own; what they found is one, whoever was first. Kept sums and those that the columns tell are the
 * same. */
static void check_two_workers(uint32_t columns, bool latency)
{
	struct cells a, b;
	struct cell_sample s = {.v = {[COL_SPACE] = MISC_USER, [COL_COMM] = 7, [COL_PARALLELISM] = latency ? 2 : 0},
				.period = 6};
	struct weights w;
	uint64_t v[COLUMNS];

	cells_init(&a, columns, latency);
	cells_init(&b, a.columns, latency);
	intern_put(&a.chains, "other", 5);
	s.v[COL_CHAIN] = intern_put(&a.chains, "chain", 5);
	s.order = 10;
	cells_add(&a, &s);
	s.v[COL_CHAIN] = intern_put(&b.chains, "chain", 5);
	s.order = 9;
	cells_add(&b, &s);
	s.v[COL_COMM] = 8;
	cells_add(&b, &s);
	cells_merge(&a, &b);
	assert_int_equal(a.n, 2);
	cells_weights(&a, 0, &w);
	assert_int_equal(w.period, 12);
	assert_int_equal(w.us, 12);
	assert_int_equal(w.sys, 0);
	assert_int_equal(w.latency, latency ? 6 : 12);
	assert_int_equal(w.samples, 2);
	assert_int_equal(cells_at(&a, 0)->order, 9);
	cells_spread(&a, 1, v);
	assert_int_equal(v[COL_COMM], 8);
	assert_int_equal(v[COL_CHAIN], 1);
	cells_release(&a);
	cells_release(&b);
}

static void cells_of_two_workers_are_one(void **state)
{
	uint32_t columns = COL_BIT(COL_EVENT) | COL_BIT(COL_COMM) | COL_BIT(COL_CHAIN);

	(void)state;
	check_two_workers(columns, false);
	check_two_workers(columns | COL_BIT(COL_SPACE), false);
	check_two_workers(columns | COL_BIT(COL_SPACE), true);
}

/* Many cells are found again where they were put. */
static void cells_are_found_again(void **state)
{
	struct cells c;
	struct cell_sample s = {.period = 1};
	uint64_t v[COLUMNS];

	(void)state;
	cells_init(&c, COL_BIT(COL_IP) | COL_BIT(COL_SPACE), false);
	for (uint64_t round = 0; round < 3; round++)
		for (uint64_t i = 0; i < 5000; i++) {
			s.v[COL_IP] = i * 4096;
			s.v[COL_SPACE] = i % 2 ? MISC_USER : MISC_KERNEL;
			s.order = 100 - round;
			cells_add(&c, &s);
		}
	assert_int_equal(c.n, 5000);
	for (uint32_t i = 0; i < c.n; i++) {
		struct weights w;

		cells_weights(&c, i, &w);
		assert_int_equal(w.samples, 3);
		assert_int_equal(i % 2 ? w.us : w.sys, 3);
		cells_spread(&c, i, v);
		assert_int_equal(v[COL_IP], i * 4096ull);
		assert_int_equal(cells_at(&c, i)->order, 98);
	}
	cells_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_of_two_workers_are_one),
		cmocka_unit_test(cells_are_found_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
