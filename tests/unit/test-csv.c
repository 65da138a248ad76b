// SPDX-License-Identifier: MIT
#include "unit.h"

#include "view/out/csv.h"

#include <string.h>

static void cell_is(const char *text, const char *separator, const char *wanted)
{
	AUTO_BUF out = {0};

	csv_cell(&out, text, separator);
	assert_string_equal(buf_text(&out), wanted);
}

static void cells_are_quoted_where_they_must_be(void **state)
{
	(void)state;
	cell_is("plain text", ",", "plain text");
	cell_is("map<int, char>", ",", "\"map<int, char>\"");
	cell_is("map<int, char>", ";", "map<int, char>");
	cell_is("operator\"\"_s", ",", "\"operator\"\"\"\"_s\"");
	cell_is(NULL, ",", "-");
}

static void a_cell_cannot_end_its_line(void **state)
{
	AUTO_BUF out = {0};

	(void)state;
	csv_cell(&out, "a\nb\033[2J", ",");
	assert_null(strpbrk(buf_text(&out), "\n\033"));
}

static void a_head_has_all_names(void **state)
{
	static const char *const names[] = {"total_ns", "thread"};
	AUTO_BUF out = {0};

	(void)state;
	csv_head(&out, names, 2, ";");
	assert_string_equal(buf_text(&out), "total_ns;thread\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_are_quoted_where_they_must_be),
		cmocka_unit_test(a_cell_cannot_end_its_line),
		cmocka_unit_test(a_head_has_all_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
