// SPDX-License-Identifier: MIT
/* Filters as tables: a row says what a text becomes, or, after '!', a part of the error. */
#include "answer.h"
#include "folder.h"

#include "capture/open/filter.h"
#include "event/filter/filter.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void describe_place(struct buf *b, const struct address_place *p)
{
	if (p->symbol)
		buf_printf(b, "%s", p->symbol);
	else
		buf_printf(b, "%llx", (unsigned long long)p->value);
	if (p->nth)
		buf_printf(b, "#%u", p->nth);
	if (p->global)
		buf_str(b, "#g");
}

static void addresses_are_taken_apart(void **state)
{
	static const char *const rows[][2] = {
		{"", ""},
		{" , ", ""},
		{"filter main", "0 main"},
		{"filter 0x1000/0x20@/bin/ls", "0 1000/20@/bin/ls"},
		{"filter 4096 / 32 @ /bin/ls", "0 1000/20@/bin/ls"},
		{"start main @ /bin/ls, stop exit@x @y", "!has a blank behind it"},
		{"start main @ /bin/ls,stop exit @ y", "1 main@/bin/ls;2 exit@y"},
		{"start main @ /bin/ls stop exit @ y", "1 main@/bin/ls;2 exit@y"},
		{"tracestop vfs_read / vfs_write", "3 vfs_read/vfs_write"},
		{"filter f #2 / g #g @ x", "0 f#2/g#g@x"},
		{"filter f #0", "0 f#g"},
		{"filter f #G", "0 f#g"},
		{"filter f#2", "0 f#2"},
		{"filter operator/ @ x", "0 operator/@x"},
		{"filter *", "0 *"},
		{"filter * @ x", "0 *@x"},
		{"filter *@x", "!has a blank behind it"},
		{"filter * / 3", "!its own size"},
		{"filtr main", "!did you mean 'filter'?"},
		{"filter", "!an address should stand here"},
		{"filter / 3", "!an address should stand here"},
		{"filter 0x", "!'0x' is no number"},
		{"filter 12z", "!'12z' is no number"},
		{"filter f /", "!an address should stand here"},
		{"filter f @", "!the name of a file should stand here"},
		{"filter f #x", "!a number or g should stand behind #"},
		{"filter 1/2/3", "!',' should stand before this"},
		{"main", "!'filter', 'start', 'stop' or 'tracestop' should stand here"},
	};
	int bad = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct address_filters f = {0};
		struct err err = {0};
		struct buf b = {0};
		const char *want = rows[i][1];
		int got = filter_parse_addresses(rows[i][0], &f, &err);

		for (size_t k = 0; !got && k < f.n; k++) {
			buf_printf(&b, "%s%d ", k ? ";" : "", f.at[k].action);
			if (f.at[k].whole)
				buf_char(&b, '*');
			else
				describe_place(&b, &f.at[k].start);
			if (f.at[k].has_size) {
				buf_char(&b, '/');
				describe_place(&b, &f.at[k].size);
			}
			if (f.at[k].file)
				buf_printf(&b, "@%s", f.at[k].file);
		}
		bad += answer_differs(rows[i][0], got, &b, &err, want);
		address_filters_release(&f);
		buf_release(&b);
	}
	assert_int_equal(bad, 0);
}

static void symbols_become_addresses(void **state)
{
	static const char *const rows[][2] = {
		{"filter vfs_read", "filter 0xffffffff81000100/0x50"},
		{"filter vfs_read / 64 , stop vfs_write",
		 "filter 0xffffffff81000100/0x40,stop 0xffffffff81000150"},
		{"filter vfs_read / vfs_write", "filter 0xffffffff81000100/0x100"},
		{"tracestop vfs_write", "stop 0xffffffff81000150/0xb0"},
		{"start twice #2", "start 0xffffffff81000300"},
		{"start twice #g", "start 0xffffffff81000200"},
		{"start 0x10/0x20", "start 0x10/0x20"},
		{"filter *", "filter 0xffffffff81000000/0x1000"},
		{"start twice", "!has 2 symbols 'twice'"},
		{"start twice #3", "!has 2 symbols 'twice'"},
		{"start jiffies", "!the kernel has no symbol 'jiffies'"},
		{"filter nosuch", "!the kernel has no symbol 'nosuch'"},
		{"filter 0x10", "!needs a size"},
		{"filter vfs_write / vfs_read", "!ends before the filter begins"},
		{"start main @ /nosuch/file", "!cannot find '/nosuch/file'"},
		{"start main @ /etc/passwd", "!is no ELF file"},
		{"start no_such_symbol @ /proc/self/exe", "!has no symbol 'no_such_symbol'"},
	};
	char root[] = "/tmp/test-filter-XXXXXX", path[64];
	int bad = 0;

	(void)state;
	assert_non_null(mkdtemp(root));
	folder_put(
		root, "kallsyms",
		"ffffffff81000000 T _text\nffffffff81000100 T vfs_read\n"
		"ffffffff81000150 T vfs_write\nffffffff81000200 T twice\n"
		"ffffffff81000300 t twice\nffffffff81000400 t last\nffffffff82000000 D jiffies\n");
	snprintf(path, sizeof(path), "%s/kallsyms", root);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct address_filters f = {0};
		struct err err = {0};
		struct buf b = {0};
		const char *want = rows[i][1];
		int got;

		assert_int_equal(filter_parse_addresses(rows[i][0], &f, &err), 0);
		got = filter_resolve_addresses(&f, path, &b, &err);
		bad += answer_differs(rows[i][0], got, &b, &err, want);
		address_filters_release(&f);
		buf_release(&b);
	}
	unlink(path);
	rmdir(root);
	assert_int_equal(bad, 0);
}

/* A function of this program lies where the program was mapped from. */
static void symbols_of_a_file_are_offsets_in_it(void **state)
{
	struct address_filters f = {0};
	struct err err = {0};
	struct buf b = {0};
	unsigned long long start, size;
	char path[256];

	(void)state;
	assert_int_equal(
		filter_parse_addresses(
			"filter symbols_of_a_file_are_offsets_in_it @ /proc/self/exe", &f, &err),
		0);
	assert_int_equal(filter_resolve_addresses(&f, NULL, &b, &err), 0);
	assert_int_equal(sscanf(buf_text(&b), "filter 0x%llx/0x%llx@%255s", &start, &size, path),
			 3);
	assert_non_null(strstr(path, "test-filter"));
	/* a page of the file is a page of memory */
	assert_int_equal(start % 4096,
			 (unsigned long long)(uintptr_t)symbols_of_a_file_are_offsets_in_it % 4096);
	assert_true(size > 32 && size < 65536);
	address_filters_release(&f);
	buf_release(&b);
}

static void terms_over_samples_are_taken_apart(void **state)
{
	/* each term: FIELD[.SHIFT.WIDTH] OP VALUE, '|' or ',' before it */
	static const char *const rows[][2] = {
		{"ip > 0x1000", "0 2 1000"},
		{"ip>0x1000,cpu==1", "0 2 1000,4 0 1"},
		{"cpu == 1 || cpu == 3, period >= 10", "4 0 1|4 0 3,7 3 a"},
		{"time < 5 , id != 2 || tid <= 3", "5 4 5,1 1 2|2 5 3"},
		{"addr & 0xff", "6 6 ff"},
		{"pid == 010", "3 0 8"},
		{"mem_op == load", "15.0.5 0 2"},
		{"mem_lvl == l3", "15.33.4 0 3"},
		{"mem_lvl == any_cache || mem_lvl == ram", "15.33.4 0 b|15.33.4 0 d"},
		{"mem_snoop == hitm", "15.19.5 0 10"},
		{"mem_snoop == peer", "15.38.2 0 2"},
		{"mem_remote == remote, mem_lock == locked", "15.37.1 0 1,15.24.2 0 2"},
		{"mem_dtlb == l2_miss", "15.26.7 0 14"},
		{"mem_blk == by_addr", "15.40.3 0 4"},
		{"mem_hops == hops3", "15.43.3 0 4"},
		{"mem_op == 3", "15.0.5 0 3"},
		{"weight > 1, weight1 > 1, weight2 > 1, ins_lat > 1, weight3 > 1",
		 "9 2 1,9 2 1,10 2 1,10 2 1,11 2 1"},
		{"retire_lat > 1,p_stage_cyc > 1", "11 2 1,11 2 1"},
		{"txn != 0,phys_addr == 1,code_pgsz == 4096,data_pgsz == 4096",
		 "8 1 0,12 0 1,13 0 1000,14 0 1000"},
		{"uid == 0, gid == 0, cgroup == 7", "17 0 0,18 0 0,16 0 7"},
		{"", "!a field of samples should stand here"},
		{"ip", "!one of == != > >= < <= & should stand here"},
		{"ip >", "!a value should stand here"},
		{"ip > x", "!'ip' takes no 'x'"},
		{"ipp > 1", "!no field 'ipp'; did you mean 'ip'?"},
		{"mem_op == stor", "!did you mean 'store'?"},
		{"mem_op == 32", "!'mem_op' has 5 bits"},
		{"ip > 1,", "!a field of samples should stand here"},
		{"ip > 1 ||", "!a field of samples should stand here"},
		{"ip > 1 | cpu == 2", "!',' or '||' should stand here"},
		{"ip = 1", "!one of == != > >= < <= & should stand here"},
		{"ip > 99999999999999999999", "!takes no"},
	};
	int bad = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sample_filter f = {0};
		struct err err = {0};
		struct buf b = {0};
		const char *want = rows[i][1];
		int got = filter_parse_samples(rows[i][0], &f, &err);

		for (size_t k = 0; !got && k < f.n; k++) {
			const struct sample_term *t = &f.at[k];

			if (k)
				buf_char(&b, t->any == t[-1].any ? '|' : ',');
			buf_printf(&b, "%d", t->field);
			if (t->width)
				buf_printf(&b, ".%u.%u", t->shift, t->width);
			buf_printf(&b, " %d %llx", t->op, (unsigned long long)t->value);
		}
		bad += answer_differs(rows[i][0], got, &b, &err, want);
		sample_filter_release(&f);
		buf_release(&b);
	}
	assert_int_equal(bad, 0);
}

static void a_second_filter_is_added(void **state)
{
	struct sample_filter f = {0};

	(void)state;
	assert_int_equal(filter_parse_samples("cpu == 1 || cpu == 2", &f, NULL), 0);
	assert_int_equal(filter_parse_samples("ip > 1", &f, NULL), 0);
	assert_int_equal(f.n, 3);
	assert_int_equal(f.at[0].any, f.at[1].any);
	assert_int_not_equal(f.at[1].any, f.at[2].any);
	sample_filter_release(&f);
}

static void samples_must_have_what_is_asked_for(void **state)
{
	static const struct {
		const char *filter, *option;
		uint64_t bit;
	} rows[] = {
		{"addr == 1", "-d", SAMPLE_ADDR},
		{"mem_op == load", "-d", SAMPLE_DATA_SRC},
		{"weight == 1", "-W", SAMPLE_WEIGHT},
		{"ins_lat == 1", "-W", SAMPLE_WEIGHT_STRUCT},
		{"phys_addr == 1", "--phys-data", SAMPLE_PHYS_ADDR},
		{"data_pgsz == 1", "--data-page-size", SAMPLE_DATA_PAGE_SIZE},
		{"code_pgsz == 1", "--code-page-size", SAMPLE_CODE_PAGE_SIZE},
		{"txn == 1", "--transaction", SAMPLE_TRANSACTION},
		{"cpu == 1", "--sample-cpu", SAMPLE_CPU},
		{"time == 1", "-T", SAMPLE_TIME},
		{"period == 1", "-P", SAMPLE_PERIOD},
		{"id == 1", "--sample-identifier", SAMPLE_IDENTIFIER},
		{"cgroup == 1", "--all-cgroups", SAMPLE_CGROUP},
		{"tid == 1", "", SAMPLE_TID},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event ev = {.name = "cycles"};
		struct sample_filter f = {0};
		struct err err = {0};

		assert_int_equal(filter_parse_samples(rows[i].filter, &f, &err), 0);
		assert_int_equal(filter_check_samples(&f, &ev, &err), -1);
		assert_non_null(strstr(err.text, "which the filter asks for"));
		assert_memory_equal(err.hint, rows[i].option, strlen(rows[i].option));
		ev.attr.sample_type = rows[i].bit;
		assert_int_equal(filter_check_samples(&f, &ev, &err), 0);
		sample_filter_release(&f);
	}
}

static void names_of_fields_are_checked(void **state)
{
	static const char text[] = "name: sched_switch\nID: 314\nformat:\n"
				   "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
				   "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
				   "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
				   "\nprint fmt: \"\", 0\n";
	static const struct {
		const char *filter;
		int caret; /* in characters; -1: it is right */
		const char *what;
	} rows[] = {
		{"prev_pid == 1", -1, NULL},
		{"prev_pid==1&&common_pid!=2", -1, NULL},
		{"(prev_pid > 1 || prev_comm ~ \"*x == 3*\") && cpu < 4", -1, NULL},
		{"!(prev_pid & 1)", -1, NULL},
		{"!!(prev_pid == 1)", -1, NULL},
		{"((prev_pid==1))", -1, NULL},
		{"prev_pid == -0x1", -1, NULL},
		{"prev_pid == 010", -1, NULL},
		{"prev_pid == 1 &&", -1, NULL},
		{"prev_comm.ustring ~ 'a || nosuch == 1'", -1, NULL},
		{"prev_comm == 'a'", -1, NULL},
		{"prev_comm == \"\"", -1, NULL},
		{"CPU & CPUS{0-1,3} && prev_pid == 1", -1, NULL},
		{"CPU == CPUS{1}", -1, NULL},
		{"prev_pid.function == schedule", -1, NULL},
		{"", -1, NULL},
		{"prev_pd == 1", 0, "'sched:sched_switch' has no field 'prev_pd'"},
		{"prev_pid == 1 && nxt == 2", 17, "'sched:sched_switch' has no field 'nxt'"},
		{"prev_pid == 1 || (xyz != 2)", 18, "'sched:sched_switch' has no field 'xyz'"},
		{"1 == prev_pid", 0, "'sched:sched_switch' has no field '1'"},
		{"prev-pid == 1", 0, "'sched:sched_switch' has no field 'prev'"},
		{"\"a\" == prev_comm", 0, "a field's name should stand here"},
		{"()", 1, "a field's name should stand here"},
		{"&& prev_pid == 1", 0, "a field's name should stand here"},
		{"prev_pid", 8, "one of == != < <= > >= & ~ should stand here"},
		{"prev_pid = 1", 9, "one of == != < <= > >= & ~ should stand here"},
		{"prev_pid && 1", 9, "one of == != < <= > >= & ~ should stand here"},
		{"prev_pid == ", 12, "a value should stand here"},
		{"prev_pid === 1", 11, "a value should stand here"},
		{"prev_pid <> 1", 10, "a value should stand here"},
		{"prev_comm == foo", 13, "'prev_comm' is a string, so this should stand in quotes"},
		{"prev_comm == 1", 13, "'prev_comm' is a string, so this should stand in quotes"},
		{"COMM == x", 8, "'COMM' is a string, so this should stand in quotes"},
		{"prev_pid == foo", 12, "'prev_pid' is a number, and this is none"},
		{"prev_pid == \"1\"", 12, "'prev_pid' is a number, so this may not be a string"},
		{"prev_pid ~ 1", 9, "~ compares a string with a glob"},
		{"prev_comm < \"a\"", 10, "strings are compared by ==, != and ~ (a glob)"},
		{"prev_comm == \"a", 13, "this quote is not closed"},
		{"prev_pid == 12z", 12, "'12z' is no number of 64 bits"},
		{"prev_pid == 08", 12, "'08' is no number of 64 bits"},
		{"prev_pid == - 1", 12, "'-' is no number of 64 bits"},
		{"prev_pid == 99999999999999999999", 12,
		 "'99999999999999999999' is no number of 64 bits"},
		{"prev_pid == 1 prev_pid == 2", 14, "&& or || should stand here"},
		{"prev_pid == 1 | 2", 14, "&& or || should stand here"},
		{"prev_pid == 1.5", 13, "&& or || should stand here"},
		{"(prev_pid == 1", 0, "this parenthesis is not closed"},
		{"prev_pid == 1)", 13, "no parenthesis is open here"},
		{"CPU < CPUS{1}", 4, "CPUs are compared by ==, != and &"},
		{"prev_comm & CPUS{1}", 12, "'prev_comm' is a string, not CPUs"},
		{"CPU & CPUS {1}", 10, "'{' should stand here: CPUS{0-3}"},
		{"CPU & CPUS{a}", 11, "numbers of CPUs should stand here: CPUS{0-3}"},
		{"CPU & CPUS{}", 11, "numbers of CPUs should stand here: CPUS{0-3}"},
		{"CPU & CPUS{1", 6, "a '}' is missing behind the CPUs"},
	};
	struct tp_formats formats = {0};
	const struct tp_format *format =
		tp_formats_add(&formats, "sched", text, sizeof(text) - 1, NULL);

	(void)state;
	assert_non_null(format);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct err err = {0};
		char wanted[300] = "";

		if (filter_check_fields(rows[i].filter, "sched:sched_switch", format, &err) &&
		    rows[i].caret >= 0)
			snprintf(wanted, sizeof(wanted), "filter syntax error: '%s'\n%*s\\___ %s",
				 rows[i].filter, 22 + rows[i].caret, "", rows[i].what);
		if (strcmp(wanted, err.hint) || (rows[i].caret >= 0) != !!err.code)
			fail_msg("'%s': %s\n%s", rows[i].filter, err.text, err.hint);
	}
	{
		struct err err = {0};

		assert_int_equal(
			filter_check_fields("prev_pd == 1", "sched:sched_switch", format, &err),
			-1);
		assert_non_null(strstr(err.text, "; did you mean 'prev_pid'?"));
	}
	tp_formats_release(&formats);
}

static void mistakes_are_pointed_at(void **state)
{
	struct sample_filter f = {0};
	struct err err = {0};

	(void)state;
	assert_int_equal(filter_parse_samples("ip > 1, cpo == 2", &f, &err), -1);
	assert_string_equal(err.hint,
			    "filter syntax error: 'ip > 1, cpo == 2'\n"
			    "                              \\___ samples have no field 'cpo'");
	sample_filter_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_taken_apart),
		cmocka_unit_test(symbols_become_addresses),
		cmocka_unit_test(symbols_of_a_file_are_offsets_in_it),
		cmocka_unit_test(terms_over_samples_are_taken_apart),
		cmocka_unit_test(a_second_filter_is_added),
		cmocka_unit_test(samples_must_have_what_is_asked_for),
		cmocka_unit_test(names_of_fields_are_checked),
		cmocka_unit_test(mistakes_are_pointed_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
