// SPDX-License-Identifier: MIT
#include "unit.h"

#include "event/event.h"
#include "event/format/format.h"

#include <endian.h>

static void attributes_come_back_as_they_went(void **state)
{
	struct attr a = {.type = 1,
			 .size = 144,
			 .config = 2,
			 .sample_freq = 4000,
			 .flags = ATTR_FREQ | ATTR_SIGTRAP | 2ull << ATTR_PRECISE_SHIFT,
			 .sample_max_stack = 127,
			 .clockid = -1,
			 .config4 = 7};
	struct attr b;
	uint8_t wire[144];

	(void)state;
	attr_encode(&a, wire);
	assert_int_equal(attr_decode(&b, wire, sizeof(wire), false), 0);
	assert_memory_equal(&a, &b, sizeof(a));
	assert_int_equal(attr_decode(&b, wire, 64, false), 0);
	assert_int_equal(b.sample_freq, 4000);
	assert_int_equal(b.sample_max_stack, 0);
	assert_int_equal(attr_decode(&b, wire, 63, false), -1);
}

static void foreign_bit_fields_are_turned_round(void **state)
{
	uint8_t wire[64] = {0};
	struct attr a;

	(void)state;
	wire[3] = 4; /* type: breakpoint would be 5 */
	wire[7] = 64;
	/* what a big-endian compiler makes of disabled = 1, freq = 1, precise_ip = 2, mmap2 = 1 */
	wire[40] = 0x80;
	wire[41] = 0x20 | 0x01;
	wire[42] = 0x01;
	assert_int_equal(attr_decode(&a, wire, sizeof(wire), true), 0);
	assert_int_equal(a.type, 4);
	assert_int_equal(a.size, 64);
	assert_int_equal(attr_precise(&a), 2);
	assert_int_equal(a.flags & ~ATTR_PRECISE_MASK, ATTR_DISABLED | ATTR_FREQ | ATTR_MMAP2);
}

static void attributes_have_names(void **state)
{
	static const struct {
		struct attr attr;
		const char *name;
	} rows[] = {
		{{.config = 0}, "cycles:HG"},
		{{.config = 4, .flags = ATTR_EXCLUDE_GUEST}, "branches"},
		{{.config = 10}, "unknown-hardware:HG"},
		{{.config = 4ull << 32}, "cpu/cycles/:HG"},
		{{.type = 1, .config = 9, .flags = ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV},
		 "dummy:u"},
		{{.type = 1, .config = 10}, "unknown-software:HG"},
		{{.type = 2, .config = 1}, "unknown tracepoint"},
		{{.type = 3, .config = 0x10003, .flags = 1ull << ATTR_PRECISE_SHIFT},
		 "dTLB-load-misses:p"},
		{{.type = 3, .config = 0x10200}, "L1-dcache-prefetch-misses:HG"},
		{{.type = 3, .config = 0x105}, "invalid-cache:HG"},
		{{.type = 3, .config = 0x300}, "unknown-ext-hardware-cache-op:HG"},
		{{.type = 4, .config = 0x1a8, .flags = ATTR_EXCLUDE_USER | ATTR_EXCLUDE_GUEST},
		 "raw 0x1a8:khH"},
		{{.type = 5, .config1 = 0x1234, .bp_type = 3, .flags = ATTR_EXCLUDE_HOST},
		 "mem:0x1234:rw:G"},
		{{.type = 8}, "unknown attr type: 8"},
	};
	struct buf b = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		buf_clear(&b);
		attr_name(&rows[i].attr, &b);
		assert_string_equal(buf_text(&b), rows[i].name);
	}
	buf_release(&b);
}

static void attributes_are_listed_without_their_zeros(void **state)
{
	struct attr a = {.type = 2,
			 .size = 128,
			 .config = 0xac9,
			 .sample_period = 1,
			 .sample_type =
				 SAMPLE_IP | SAMPLE_TIME | SAMPLE_DATA_SRC | SAMPLE_IDENTIFIER,
			 .read_format = READ_ID | READ_LOST,
			 .flags = ATTR_INHERIT | ATTR_USE_CLOCKID | ATTR_PRECISE_MASK,
			 .clockid = -4,
			 .config2 = 8,
			 .sample_regs_user = 0xff0fff};
	struct buf b = {0};

	(void)state;
	attr_show(&a, &b);
	assert_string_equal(buf_text(&b),
			    "type: 2, size: 128, config: 0xac9, { sample_period, sample_freq }: 1, "
			    "sample_type: IP|TIME|IDENTIFIER|DATA_SRC, read_format: ID|LOST, "
			    "inherit: 1, precise_ip: 3, use_clockid: 1, { bp_len, config2 }: 0x8, "
			    "sample_regs_user: 0xff0fff, clockid: -4");
	buf_release(&b);
}

static void events_are_found_by_id_and_name(void **state)
{
	struct event_set set = {0};
	struct event *a = event_set_add(&set, "cycles"), *b = event_set_add(&set, "dummy:u");

	(void)state;
	event_set_add_id(&set, b, 77);
	event_set_add_id(&set, a, 1ull << 40);
	assert_ptr_equal(event_set_find_id(&set, 77), b);
	assert_ptr_equal(event_set_find_id(&set, 1ull << 40), a);
	assert_null(event_set_find_id(&set, 3));
	assert_ptr_equal(event_set_find_name(&set, "dummy:u"), b);
	assert_null(event_set_find_name(&set, "dummy"));
	assert_true(event_is_leader(b));
	event_set_release(&set);
}

static const char format_text[] =
	"name: thing\nID: 372\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:const char * p;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] name;\toffset:32;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc u32[] list;\toffset:36;\tsize:4;\tsigned:0;\n"
	"\n"
	"print fmt: \"%s\", REC->comm\n";

static void formats_are_parsed_into_fields(void **state)
{
	struct tp_formats fs = {0};
	struct err err = {0};
	struct tp_format *fmt =
		tp_formats_add(&fs, "sys", format_text, sizeof(format_text) - 1, &err);
	uint8_t raw[64] = {0};
	const struct tp_field *f;
	const char *s;
	uint32_t v;
	size_t n;

	(void)state;
	assert_non_null(fmt);
	assert_string_equal(fmt->print_fmt, "\"%s\", REC->comm");
	assert_int_equal(fmt->fields.n, 6);
	assert_ptr_equal(tp_formats_find(&fs, 372), fmt);
	assert_ptr_equal(tp_formats_find_name(&fs, "sys", "thing"), fmt);
	assert_null(tp_formats_find_name(&fs, "thing", "sys"));

	v = htole32((uint32_t)-5);
	memcpy(raw + 4, &v, 4);
	f = tp_format_field(fmt, "common_pid");
	assert_true(f->is_common && f->is_signed && !f->is_array);
	assert_int_equal((int64_t)tp_field_u64(&fs, f, raw, sizeof(raw)), -5);
	assert_int_equal(tp_field_u64(&fs, f, raw, 7), 0);

	f = tp_format_field(fmt, "comm");
	assert_string_equal(f->type, "char");
	assert_true(f->is_array && f->is_string && !f->is_dynamic);
	assert_int_equal(f->elements, 16);
	assert_ptr_equal(tp_field_bytes(&fs, f, raw, sizeof(raw), &n), raw + 8);
	assert_int_equal(n, 16);

	f = tp_format_field(fmt, "p");
	assert_string_equal(f->type, "const char *");
	assert_true(f->is_pointer && !f->is_array && !f->is_string);

	f = tp_format_field(fmt, "name");
	assert_true(f->is_dynamic && f->is_string && !f->is_relative);
	v = htole32(6 << 16 | 48);
	memcpy(raw + 32, &v, 4);
	memcpy(raw + 48, "hello", 6);
	s = tp_field_bytes(&fs, f, raw, sizeof(raw), &n);
	assert_int_equal(n, 6);
	assert_string_equal(s, "hello");
	assert_null(tp_field_bytes(&fs, f, raw, 53, &n));

	f = tp_format_field(fmt, "list");
	assert_true(f->is_relative && f->is_dynamic && f->is_array && !f->is_string);
	v = htole32(8 << 16 | 16);
	memcpy(raw + 36, &v, 4);
	assert_ptr_equal(tp_field_bytes(&fs, f, raw, sizeof(raw), &n), raw + 56);
	assert_int_equal(n, 8);
	tp_formats_release(&fs);
}

static void what_is_no_format_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"name: x\n",
		"ID: 5\n",
		"name: x\nID: 99999999999\n",
		"name: x\nID: 1\nformat:\n\tfield:int a;\toffset:0;\n",
		"name: x\nID: 1\nformat:\n\tfield:;\toffset:0;\tsize:1;\n",
		"name: x\nID: 1\nformat:\n\tfield:int a\n",
	};
	struct tp_formats fs = {0};
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		err = (struct err){0};
		assert_null(tp_formats_add(&fs, "s", texts[i], strlen(texts[i]), &err));
		assert_int_equal(err.code, ERR_INPUT);
	}
	tp_formats_release(&fs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attributes_come_back_as_they_went),
		cmocka_unit_test(foreign_bit_fields_are_turned_round),
		cmocka_unit_test(attributes_have_names),
		cmocka_unit_test(attributes_are_listed_without_their_zeros),
		cmocka_unit_test(events_are_found_by_id_and_name),
		cmocka_unit_test(formats_are_parsed_into_fields),
		cmocka_unit_test(what_is_no_format_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
