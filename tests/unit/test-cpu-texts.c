// SPDX-License-Identifier: MIT
/* The text of several trace pipes, merged by time. */
#include "unit.h"

#include "capture/functions/cpu_texts.h"

#define START(name, ...)                                                                           \
	struct cpu_texts name = {__VA_ARGS__};                                                     \
	AUTO_BUF out = {0};                                                                        \
	cpu_texts_init(&name, 2)

static void texts_read(struct cpu_texts *t, size_t cpu, const char *text, bool exhausted)
{
	cpu_texts_add(t, cpu, text, strlen(text));
	t->at[cpu].exhausted = exhausted;
}

static void texts_expect(struct cpu_texts *t, bool at_end, struct buf *out, const char *expected)
{
	cpu_texts_take(t, at_end, out);
	assert_string_equal(buf_text(out), expected);
	buf_clear(out);
}

static void lines_of_cpus_are_in_order(void **state)
{
	START(t, .graph = true, .strip = true);

	(void)state;
	texts_read(&t, 0,
		   "  100.000001 |   0)               |  a() {\n"
		   "  100.000009 |   0)   0.250 us    |  }\n",
		   true);
	texts_read(&t, 1, "  100.000004 |   1)   0.750 us    |  b();\n", true);
	texts_expect(&t, true, &out,
		     " 0)               |  a() {\n"
		     " 1)   0.750 us    |  b();\n"
		     " 0)   0.250 us    |  }\n");
	cpu_texts_release(&t);
}

static void times_that_are_asked_for_stay(void **state)
{
	START(t, .graph = true);

	(void)state;
	texts_read(&t, 0, "  100.000002 |   0)  cat-7 |   0.250 us    |  a();\n", true);
	texts_read(&t, 1, "  100.000001 |   1)  cat-8 |   0.250 us    |  b();\n", true);
	texts_expect(&t, true, &out,
		     "  100.000001 |   1)  cat-8 |   0.250 us    |  b();\n"
		     "  100.000002 |   0)  cat-7 |   0.250 us    |  a();\n");
	cpu_texts_release(&t);
}

static void a_change_of_tasks_stays_before_its_function(void **state)
{
	START(t, .graph = true, .strip = true);

	(void)state;
	texts_read(&t, 0,
		   "  1.000001 |   0)   0.250 us    |  a();\n"
		   " ----------\n 0)  cat-12    => sh-13\n"
		   "  1.000009 |   0)   0.250 us    |  c();\n",
		   true);
	texts_read(&t, 1, "  1.000005 |   1)   0.750 us    |  b();\n", true);
	texts_expect(&t, true, &out,
		     " 0)   0.250 us    |  a();\n"
		     " 1)   0.750 us    |  b();\n"
		     " ----------\n 0)  cat-12    => sh-13\n"
		     " 0)   0.250 us    |  c();\n");
	cpu_texts_release(&t);
}

static void a_stack_stays_behind_its_function(void **state)
{
	START(t, .graph = false);

	(void)state;
	texts_read(&t, 0,
		   "          cat 1: 2-77      [000] d..2.   5.000001: a <-b\n"
		   " => a\n => b\n"
		   "             cat-77      [000] d..2.   5.000009: c <-b\n",
		   true);
	texts_read(&t, 1, "             cat-78      [001] d..2.   5.000005: d <-b\n", true);
	texts_expect(&t, true, &out,
		     "          cat 1: 2-77      [000] d..2.   5.000001: a <-b\n"
		     " => a\n => b\n"
		     "             cat-78      [001] d..2.   5.000005: d <-b\n"
		     "             cat-77      [000] d..2.   5.000009: c <-b\n");
	cpu_texts_release(&t);
}

/* What is shown in a round is what was the newest in the round before: until then a CPU may write
 * something older. */
static void a_line_waits_for_what_may_come_before(void **state)
{
	START(t, .graph = true, .strip = true);

	(void)state;
	texts_read(&t, 0, "1.000005 |   0)  |  a();\n", true);
	t.at[1].exhausted = true;
	texts_expect(&t, false, &out, "");
	texts_read(&t, 1, "1.000003 |   1)  |  b();\n1.000007 |   1)  |  c();\n", true);
	texts_expect(&t, false, &out, " 1)  |  b();\n 0)  |  a();\n");
	texts_expect(&t, false, &out, " 1)  |  c();\n");
	cpu_texts_release(&t);
}

static void a_pipe_with_more_text_holds_others_back(void **state)
{
	START(t, .graph = true, .strip = true);

	(void)state;
	texts_read(&t, 0, "1.000001 |   0)  |  a();\n1.000009 |   0)  |  d();\n", true);
	texts_read(&t, 1, "1.000002 |   1)  |  b();\n", false);
	texts_expect(&t, false, &out, "");
	texts_expect(&t, false, &out, " 0)  |  a();\n 1)  |  b();\n");
	texts_read(&t, 1, "1.000003 |   1)  |  c();\n", true);
	texts_expect(&t, false, &out, " 1)  |  c();\n 0)  |  d();\n");
	cpu_texts_release(&t);
}

static void text_comes_in_pieces(void **state)
{
	static const char text[] = "1.000001 |   0)  |  a();\n1.000009 |   0)  |  b();\nhalf";
	START(t, .graph = true, .strip = true);

	(void)state;
	for (size_t i = 0; i + 1 < sizeof(text); i++) {
		cpu_texts_add(&t, 0, text + i, 1);
		t.at[0].exhausted = t.at[1].exhausted = true;
		cpu_texts_take(&t, false, &out);
	}
	texts_expect(&t, true, &out, " 0)  |  a();\n 0)  |  b();\nhalf");
	cpu_texts_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_cpus_are_in_order),
		cmocka_unit_test(times_that_are_asked_for_stay),
		cmocka_unit_test(a_change_of_tasks_stays_before_its_function),
		cmocka_unit_test(a_stack_stays_behind_its_function),
		cmocka_unit_test(a_line_waits_for_what_may_come_before),
		cmocka_unit_test(a_pipe_with_more_text_holds_others_back),
		cmocka_unit_test(text_comes_in_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
