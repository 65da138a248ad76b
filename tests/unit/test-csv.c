// SPDX-License-Identifier: MIT
#include "unit.h"

#include "view/out/csv.h"
#include "view/out/rows.h"

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

/* Two tables, with a text that must be escaped, a value that is missing, and none in the second. */
static void rows_fill(struct rows *r)
{
	static const char *const works[] = {"name", "runtime_ns"}, *const cpus[] = {"cpu"};

	rows_table(r, "works", works, 2);
	rows_text(r, "a,\"b\"");
	rows_number(r, UINT64_MAX);
	rows_text(r, NULL);
	rows_number(r, 0);
	rows_table(r, "cpus", cpus, 1);
	rows_end(r);
}

static void rows_are_the_same_in_all_forms(void **state)
{
	struct out out;
	struct rows r;

	(void)state;
	out_init(&out, -1);
	rows_begin(&r, &out, &(struct rows_form){ROWS_CSV, .separator = ","});
	rows_fill(&r);
	assert_string_equal(buf_text(&out.buf), "name,runtime_ns\n"
						"\"a,\"\"b\"\"\",18446744073709551615\n"
						"-,0\n\ncpu\n");
	buf_clear(&out.buf);
	rows_begin(&r, &out, &(struct rows_form){ROWS_JSON});
	rows_fill(&r);
	assert_string_equal(buf_text(&out.buf),
			    "{\"works\":[{\"name\":\"a,\\\"b\\\"\",\"runtime_ns\":"
			    "18446744073709551615},{\"runtime_ns\":0}],\"cpus\":[]}\n");
	buf_clear(&out.buf);
	rows_begin(&r, &out, &(struct rows_form){ROWS_PAGE, .title = "<a>"});
	rows_fill(&r);
	assert_non_null(strstr(buf_text(&out.buf), "<title>&lt;a&gt;</title>"));
	assert_non_null(
		strstr(buf_text(&out.buf),
		       "<main>\n<h2>works</h2>\n<table><thead><tr><th>name<th>runtime_ns"
		       "</thead><tbody>\n<tr><td>a,&quot;b&quot;<td class=n>18446744073709551615\n"
		       "<tr><td>-<td class=n>0\n</tbody></table>\n<h2>cpus</h2>\n"
		       "<table><thead><tr><th>cpu</thead><tbody>\n</tbody></table>\n</main>"));
	out_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_are_quoted_where_they_must_be),
		cmocka_unit_test(a_cell_cannot_end_its_line),
		cmocka_unit_test(a_head_has_all_names),
		cmocka_unit_test(rows_are_the_same_in_all_forms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
