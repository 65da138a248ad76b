// SPDX-License-Identifier: MIT
#include "unit.h"

#include "data/counts.h"

static void shape(struct counts *c)
{
	static const int cpus[] = {4, 0, 2, 0}, none[] = {-1};

	vec_add(&c->threads, (struct count_thread){10, "a"});
	vec_add(&c->threads, (struct count_thread){11, "b"});
	counts_shape(c, 1, cpus, 4);
	counts_shape(c, 2, none, 1);
}

static void cells_are_found_by_cpu_and_thread(void **state)
{
	struct counts c = {0};

	(void)state;
	shape(&c);
	assert_int_equal(c.events.n, 3);
	assert_int_equal(c.events.at[0].state, COUNT_NOT_SUPPORTED);
	assert_int_equal(c.events.at[1].state, COUNT_OPEN);
	assert_int_equal(c.events.at[1].cpus.n, 3);
	assert_int_equal(c.events.at[1].cpus.at[1], 2);
	assert_int_equal(c.events.at[1].at.n, 6);
	assert_ptr_equal(counts_at(&c, 1, 4, 1), &c.events.at[1].at.at[5]);
	assert_ptr_equal(counts_at(&c, 1, 2, 0), &c.events.at[1].at.at[2]);
	assert_ptr_equal(counts_at(&c, 2, -1, 1), &c.events.at[2].at.at[1]);
	assert_null(counts_at(&c, 1, 1, 0));
	assert_null(counts_at(&c, 1, 0, 2));
	assert_null(counts_at(&c, 0, 0, 0));
	assert_null(counts_at(&c, 3, 0, 0));
	counts_release(&c);
}

static void a_difference_lies_between_two(void **state)
{
	struct counts now = {0}, before = {0}, other = {0};

	(void)state;
	shape(&now);
	*counts_at(&now, 1, 0, 1) = (struct count){7, 100, 50};
	*counts_at(&now, 2, -1, 0) = (struct count){3, 9, 9};
	counts_copy(&before, &now);
	*counts_at(&now, 1, 0, 1) = (struct count){10, 160, 80};
	*counts_at(&now, 2, -1, 0) = (struct count){2, 19, 9};
	counts_subtract(&now, &before);
	assert_int_equal(counts_at(&now, 1, 0, 1)->value, 3);
	assert_int_equal(counts_at(&now, 1, 0, 1)->enabled, 60);
	assert_int_equal(counts_at(&now, 1, 0, 1)->running, 30);
	/* a counter that went backwards counted nothing */
	assert_int_equal(counts_at(&now, 2, -1, 0)->value, 0);
	assert_int_equal(counts_at(&now, 2, -1, 0)->enabled, 10);
	assert_int_equal(before.threads.at[1].tid, 11);
	assert_string_equal(before.threads.at[1].comm, "b");
	/* a copy over something larger and something smaller */
	counts_copy(&before, &other);
	assert_int_equal(before.events.n, 0);
	counts_copy(&before, &now);
	assert_int_equal(before.events.n, 3);
	assert_int_equal(counts_at(&before, 1, 0, 1)->value, 3);
	counts_subtract(&before, &other);
	assert_int_equal(counts_at(&before, 1, 0, 1)->value, 3);
	counts_release(&now);
	counts_release(&before);
	counts_release(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_are_found_by_cpu_and_thread),
		cmocka_unit_test(a_difference_lies_between_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
