// SPDX-License-Identifier: MIT
#include "unit.h"

#include "bench/bench.h"
#include "bench/memory/routines.h"

#include <math.h>

static void the_median_has_an_interval_of_order_statistics(void **state)
{
	double six[] = {6, 1, 5, 2, 4, 3}, twelve[12], one[] = {8};
	struct bench_spread s;

	(void)state;
	bench_spread(six, 6, &s);
	assert_true(s.median == 3.5 && s.low == 1 && s.high == 6 && s.least == 1 && s.most == 6);
	assert_true(fabs(s.coverage - 96.875) < 1e-9); /* 1 - 2 / 64 */
	for (int i = 0; i < 12; i++)
		twelve[i] = 12 - i;
	bench_spread(twelve, 12, &s);
	/* fewer than 3 of 12 fall on one side in (1 + 12 + 66) of 4096 cases */
	assert_true(s.median == 6.5 && s.low == 3 && s.high == 10);
	assert_true(fabs(s.coverage - 100 * (1 - 2 * 79 / 4096.)) < 1e-9);
	bench_spread(one, 1, &s);
	assert_true(s.median == 8 && s.low == 8 && s.high == 8 && s.coverage == 0);
}

static void the_error_of_a_mean_is_that_of_perf(void **state)
{
	struct bench_stats s = {0};

	(void)state;
	for (int i = 1; i <= 4; i++)
		bench_stats_add(&s, i);
	assert_true(s.mean == 2.5);
	assert_true(fabs(bench_stats_error(&s) - sqrt(5. / 3 / 4)) < 1e-12);
	assert_true(fabs(bench_stats_percent(&s) - 100 * sqrt(5. / 12) / 2.5) < 1e-9);
}

/* Sizes around what the loops do at once; what lies before and behind stays as it was. */
static void routines_copy_and_fill_what_they_should(void **state)
{
	static const size_t sizes[] = {0, 1, 7, 8, 9, 63, 64, 65, 200, 1000};
	unsigned char from[1100], to[1100], want[1100];

	(void)state;
	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (unsigned char)(i * 7 + 1);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		for (size_t r = 0; copy_routines[r].name; r++) {
			memset(to, 0xee, sizeof(to));
			memset(want, 0xee, sizeof(want));
			memcpy(want + 16, from + 3, sizes[i]);
			assert_ptr_equal(copy_routines[r].copy(to + 16, from + 3, sizes[i]),
					 to + 16);
			assert_memory_equal(to, want, sizeof(to));
		}
		for (size_t r = 0; fill_routines[r].name; r++) {
			memset(to, 0xee, sizeof(to));
			memset(want, 0xee, sizeof(want));
			memset(want + 16, 0x1a5, sizes[i]);
			assert_ptr_equal(fill_routines[r].fill(to + 16, 0x1a5, sizes[i]), to + 16);
			assert_memory_equal(to, want, sizeof(to));
		}
	}
}

struct sums {
	uint64_t done[3];
};

static void add_one(void *ctx, unsigned int index)
{
	struct sums *s = ctx;

	s->done[index] += index + 1;
}

static void a_team_does_its_work_once_when_it_may_go(void **state)
{
	struct sums s = {0};
	struct bench_team team;
	struct err err = {0};

	(void)state;
	assert_int_equal(bench_team_start(&team, 3, true, add_one, &s, &err), 0);
	assert_int_equal(s.done[0] + s.done[1] + s.done[2], 0);
	bench_team_go(&team);
	bench_team_join(&team);
	assert_true(s.done[0] == 1 && s.done[1] == 2 && s.done[2] == 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_median_has_an_interval_of_order_statistics),
		cmocka_unit_test(the_error_of_a_mean_is_that_of_perf),
		cmocka_unit_test(routines_copy_and_fill_what_they_should),
		cmocka_unit_test(a_team_does_its_work_once_when_it_may_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
