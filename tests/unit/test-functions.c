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
		struct graph_times t = {0};

		graph_times_add(&t, text, cut);
		graph_times_add(&t, text + cut, strlen(text) - cut);
		graph_times_sort(&t, GRAPH_COUNT);
		assert_int_equal(t.rows.n, 2);
		assert_string_equal(t.rows.at[0].name, "a");
		assert_int_equal(t.rows.at[0].calls, 2);
		assert_int_equal(t.rows.at[0].sum_ns, 1000);
		assert_int_equal(t.rows.at[1].max_ns, 12500);
		assert_int_equal(t.buckets[0], 2);
		assert_int_equal(t.buckets[4], 1);
		graph_times_release(&t);
	}
}

static void times_have_buckets(void **state)
{
	struct graph_times t = {.nsec = true};

	(void)state;
	for (uint64_t us = 1; us < 5000000; us *= 10) {
		char line[64];
		int n = snprintf(line, sizeof(line), " 0) %llu.000 us |  f();\n",
				 (unsigned long long)us);

		graph_times_add(&t, line, (size_t)n);
	}
	assert_int_equal(t.buckets[10], 1); /* 1000 ns: 512 to 1024 */
	assert_int_equal(t.buckets[14], 1);
	assert_int_equal(t.buckets[17], 1);
	assert_int_equal(t.buckets[20], 1);
	assert_int_equal(t.buckets[21], 3); /* all from 2^20 ns on */
	graph_times_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_tells_of_a_return),
		cmocka_unit_test(text_may_be_cut_anywhere),
		cmocka_unit_test(times_have_buckets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
