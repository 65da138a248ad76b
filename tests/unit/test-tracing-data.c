// SPDX-License-Identifier: MIT
#include "folder.h"

#include "event/format/tracing_data.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int make_root(void **state)
{
	static char root[64];
	char text[256];

	snprintf(root, sizeof(root), "/tmp/test-tracing-data-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	folder_put(root, "events/header_page", "\tfield: u64 timestamp;\n");
	folder_put(root, "events/header_event", "# compressed entry header\n");
	folder_put(root, "printk_formats",
		   "0xffffffff8281a8ff : \"a \\\"b\\\"\\n\"\n0x10 : \"c\"\n");
	folder_put(root, "saved_cmdlines", "12 sh\n13 a b\n");
	for (int i = 0; i < 3; i++) {
		char name[64];

		snprintf(name, sizeof(name), "events/sys%d/ev%d/format", i / 2, i);
		snprintf(text, sizeof(text),
			 "name: ev%d\nID: %d\nformat:\n\tfield:int "
			 "a;\toffset:8;\tsize:4;\tsigned:1;\n"
			 "\nprint fmt: \"a=%%d\", REC->a\n",
			 i, 100 + i);
		folder_put(root, name, text);
	}
	*state = root;
	return 0;
}

static int remove_root(void **state)
{
	return folder_remove(*state);
}

static void tracepoint(struct event_set *set, const char *system, const char *name)
{
	struct event *ev = event_set_add(set, name);

	ev->attr.type = TYPE_TRACEPOINT;
	ev->system = system;
	ev->tracepoint = name;
}

static void what_is_built_can_be_read(void **state)
{
	struct event_set set = {0};
	struct tp_formats fs = {0};
	struct buf b = {0};
	struct err err = {0};
	uint32_t unparsed = 0;

	tracepoint(&set, "sys1", "ev2");
	tracepoint(&set, "sys0", "ev0");
	tracepoint(&set, "sys0", "ev1");
	tracepoint(&set, "sys0", "ev0");
	event_set_add(&set, "cycles");
	assert_int_equal(tracing_data_build(&set, *state, &b, &err), 0);
	assert_int_equal(tracing_data_parse(&fs, b.at, b.n, &unparsed, &err), 0);
	assert_int_equal(unparsed, 0);
	assert_int_equal(fs.all.n, 3);
	assert_false(fs.swap);
	assert_int_equal(fs.long_size, sizeof(long));
	assert_int_equal(fs.page_size, sysconf(_SC_PAGESIZE));
	assert_int_equal(tp_formats_find_name(&fs, "sys0", "ev1")->id, 101);
	assert_string_equal(tp_formats_find(&fs, 102)->print_fmt, "\"a=%d\", REC->a");
	assert_int_equal(fs.printks.n, 2);
	assert_int_equal(fs.printks.at[0].address, 0xffffffff8281a8ff);
	assert_string_equal(fs.printks.at[0].text, "a \\\"b\\\"");
	assert_int_equal(fs.comms.n, 2);
	assert_int_equal(fs.comms.at[1].pid, 13);
	assert_string_equal(fs.comms.at[1].comm, "a b");
	tp_formats_release(&fs);
	buf_release(&b);
	event_set_release(&set);
}

static void every_cut_is_noticed(void **state)
{
	struct event_set set = {0};
	struct buf b = {0};
	struct err err;

	tracepoint(&set, "sys0", "ev0");
	assert_int_equal(tracing_data_build(&set, *state, &b, &err), 0);
	for (size_t n = 0; n < b.n; n++) {
		struct tp_formats fs = {0};
		char *copy = malloc(n + !n);

		memcpy(copy, b.at, n);
		err = (struct err){0};
		assert_int_equal(tracing_data_parse(&fs, copy, n, NULL, &err), -1);
		assert_int_equal(err.code, ERR_INPUT);
		tp_formats_release(&fs);
		free(copy);
	}
	buf_release(&b);
	event_set_release(&set);
}

static void a_foreign_byte_order_is_read(void **state)
{
	static const char text[] = "name: e\nID: 7\nformat:\n\tfield:u16 a;\toffset:0;\tsize:2;"
				   "\tsigned:0;\n\nprint fmt: \"\"\n";
	struct buf b = {0};
	struct tp_formats fs = {0};
	const uint8_t raw[] = {1, 2};

	(void)state;
	buf_add(&b, "\27\10Dtracing0.5\0\1\4\0\0\20\0", 20);
	buf_add(&b, "header_page\0\0\0\0\0\0\0\0\0", 20);
	buf_add(&b, "header_event\0\0\0\0\0\0\0\0\0", 21);
	buf_add(&b, "\0\0\0\1\0\0\0\0\0\0\0", 11);
	buf_char(&b, sizeof(text) - 1);
	buf_str(&b, text);
	buf_add(&b, "\0\0\0\0\0\0\0\0\0\0\0\0", 12);
	assert_int_equal(tracing_data_parse(&fs, b.at, b.n, NULL, NULL), 0);
	assert_true(fs.swap);
	assert_int_equal(fs.long_size, 4);
	assert_int_equal(fs.page_size, 4096);
	assert_string_equal(tp_formats_find(&fs, 7)->system, "ftrace");
	assert_int_equal(tp_field_u64(&fs, tp_format_field(tp_formats_find(&fs, 7), "a"), raw, 2),
			 0x102);
	tp_formats_release(&fs);
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_built_can_be_read),
		cmocka_unit_test(every_cut_is_noticed),
		cmocka_unit_test(a_foreign_byte_order_is_read),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
