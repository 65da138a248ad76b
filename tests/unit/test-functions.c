// SPDX-License-Identifier: MIT
/* The text of the tracer function_graph. */
#include "unit.h"

#include "analysis/functions/graph.h"

#include <stdio.h>
#include <string.h>

static void a_line_tells_of_a_return(void **state)
{
	static const struct {
		const char *line, *name; /* NULL: it tells of none; "": of one without a name */
		uint64_t ns;
	} rows[] = {
		{" 0)   0.250 us    |    rw_verify_area();", "rw_verify_area", 250},
		{" 1) ! 123.456 us  |  } /* vfs_read */", "vfs_read", 123456},
		{" 1) $ 1234567.8 us |  } /* do_exit */", "do_exit", 1234567800},
		{" 3) + 12.5 us     |  }", "", 12500},
		{" 12)  cat-1234    |   1.000 us    |  vfs_open();", "vfs_open", 1000},
		{" 1)   0.100 us    |  foo [ext4]();", "foo", 100},
		{" 1)   0.100 us    |  func(a=1, b=2); /* = 0x0 */", "func", 100},
		{" 0)               |  vfs_read() {", NULL, 0},
		{" 0)   ==========> |", NULL, 0},
		{" ------------------------------------------", NULL, 0},
		{"# | DURATION |", NULL, 0},
		{" 0)   x us    |  f();", NULL, 0},
		{"|  us |", NULL, 0},
		{"", NULL, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct graph_return r = {0};
		char *copy = strdup(rows[i].line); /* so that a sanitizer sees its end */

		assert_int_equal(graph_line_parse(copy, strlen(copy), &r), rows[i].name != NULL);
		if (rows[i].name) {
			assert_int_equal(r.ns, rows[i].ns);
			assert_int_equal(r.name_n, strlen(rows[i].name));
			assert_memory_equal(r.name ? r.name : "", rows[i].name, r.name_n);
		}
		free(copy);
	}
}

static void text_may_be_cut_anywhere(void **state)
{
	static const char text[] = " 0)   0.250 us    |  a();\n 0) + 12.500 us   |  } /* b */\n"
				   " 0)   0.750 us    |  a();\n";

	(void)state;
	for (size_t cut = 0; cut <= strlen(text); cut++) {
		struct duration_buckets b = {0};
		struct graph_times t = {.buckets = &b};

		assert_int_equal(duration_buckets_init(&b, NULL), 0);
		graph_times_add(&t, text, cut);
		graph_times_add(&t, text + cut, strlen(text) - cut);
		graph_times_sort(&t, GRAPH_COUNT);
		assert_int_equal(t.rows.n, 2);
		assert_string_equal(t.rows.at[0].name, "a");
		assert_int_equal(t.rows.at[0].calls, 2);
		assert_int_equal(t.rows.at[0].sum_ns, 1000);
		assert_int_equal(t.rows.at[1].max_ns, 12500);
		assert_int_equal(b.counts.at[0], 2);
		assert_int_equal(b.counts.at[4], 1);
		graph_times_release(&t);
		duration_buckets_release(&b);
	}
}

static void times_have_buckets(void **state)
{
	struct duration_buckets b = {.nsec = true};

	(void)state;
	assert_int_equal(duration_buckets_init(&b, NULL), 0);
	for (uint64_t us = 1; us < 5000000; us *= 10)
		duration_buckets_add(&b, us * 1000);
	assert_int_equal(b.counts.n, 22);
	assert_int_equal(b.counts.at[10], 1); /* 1000 ns: 512 to 1024 */
	assert_int_equal(b.counts.at[14], 1);
	assert_int_equal(b.counts.at[17], 1);
	assert_int_equal(b.counts.at[20], 1);
	assert_int_equal(b.counts.at[21], 3); /* all from 2^20 ns on */
	duration_buckets_release(&b);
}

/* Below 30, [30,40), [40,50), [50,55), from 55 on. */
static void buckets_may_have_one_width(void **state)
{
	struct duration_buckets b = {.width = 10, .least = 30, .most = 55};
	static const uint64_t us[] = {0, 29, 30, 39, 40, 49, 50, 54, 55, 1000000000};
	static const uint64_t ends[] = {30, 40, 50, 55};
	uint64_t from, to;

	(void)state;
	assert_int_equal(duration_buckets_init(&b, NULL), 0);
	assert_int_equal(b.counts.n, 5);
	for (size_t i = 0; i < ARRAY_SIZE(us); i++)
		duration_buckets_add(&b, us[i] * 1000);
	for (size_t i = 0; i < b.counts.n; i++) {
		assert_int_equal(b.counts.at[i], 2);
		assert_int_equal(duration_bucket_range(&b, i, &from, &to), i < 4);
		assert_int_equal(from, i ? ends[i - 1] : 0);
		if (i < 4)
			assert_int_equal(to, ends[i]);
	}
	duration_buckets_release(&b);
}

static void limits_that_make_no_buckets_are_refused(void **state)
{
	static const struct duration_buckets bad[] = {
		{.least = 5},
		{.most = 5},
		{.width = 10, .least = 30, .most = 39},
		{.width = 1, .least = 1, .most = 1001},
		{.width = UINT64_MAX},
		{.width = 1, .most = UINT64_MAX},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct duration_buckets b = bad[i];
		struct err err = {0};

		assert_int_equal(duration_buckets_init(&b, &err), -1);
		assert_int_equal(err.code, ERR_USAGE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_tells_of_a_return),
		cmocka_unit_test(text_may_be_cut_anywhere),
		cmocka_unit_test(times_have_buckets),
		cmocka_unit_test(buckets_may_have_one_width),
		cmocka_unit_test(limits_that_make_no_buckets_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
