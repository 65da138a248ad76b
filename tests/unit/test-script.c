// SPDX-License-Identifier: MIT
#include "unit.h"

#include "data/record/data_src.h"
#include "event/registers.h"
#include "view/record_text.h"
#include "view/script/script.h"

#include <sys/mman.h>

static const char *data_src(uint64_t v)
{
	static struct buf b;

	buf_clear(&b);
	data_src_text(v, &b);
	return buf_text(&b);
}

static void memory_accesses_are_put_into_words(void **state)
{
	(void)state;
	/* a load that hit L1, no snoop, TLB hit in L1 or L2, not locked */
	assert_string_equal(data_src(0x2 | (0x2 | 0x8) << 5 | 0x2ull << 19 | 0x2ull << 24 |
				     (0x2ull | 0x8 | 0x10) << 26),
			    "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK Yes|BLK  N/A");
	/* a store that missed; L3 by number; remote; peer snoop; blocked by data */
	assert_string_equal(
		data_src(0x4 | 0x4 << 5 | 3ull << 33 | 1ull << 37 | 2ull << 38 | 2ull << 40),
		"|OP STORE|LVL Remote L3 miss|SNP Peer|TLB N/A|LCK No|BLK  Data");
	/* hops say where the cache or memory is, instead of the bits for levels */
	assert_string_equal(data_src(0x2 | (0x2 | 0x40) << 5 | 1ull << 37 | 1ull << 43),
			    "|OP LOAD|LVL Remote core, same node  hit|SNP N/A|TLB N/A|LCK No|BLK  "
			    "N/A");
	assert_string_equal(data_src(0x2 | 0x4 << 5 | 13ull << 33 | 4ull << 43),
			    "|OP LOAD|LVL board RAM miss|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	assert_string_equal(data_src(0x5080021),
			    "|OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A");
}

static void registers_have_their_machine_s_names(void **state)
{
	(void)state;
	assert_string_equal(register_name("x86_64", 0), "AX");
	assert_string_equal(register_name("i686", 8), "IP");
	assert_string_equal(register_name("x86_64", 33), "XMM0");
	assert_string_equal(register_name("x86_64", 63), "XMM15");
	assert_null(register_name("x86_64", 24));
	assert_string_equal(register_name("aarch64", 30), "lr");
	assert_string_equal(register_name("arm64", 46), "vg");
	assert_string_equal(register_name("armv7l", 11), "fp");
	assert_string_equal(register_name("ppc64le", 32), "nip");
	assert_string_equal(register_name("riscv64", 31), "t6");
	assert_string_equal(register_name("s390x", 33), "PC");
	assert_null(register_name("pdp11", 0));
	assert_null(register_name("x86_64", 64));
	assert_true(register_mask("x86_64", "xmm1") == 3ull << 34);
	assert_true(register_mask("aarch64", "x29") == 1ull << 29);
}

/* A recording of these events, in this order. */
static void make(struct recording *rec, const struct attr *attrs, size_t n)
{
	memset(rec, 0, sizeof(*rec));
	for (size_t i = 0; i < n; i++)
		event_set_add(&rec->m.events, i ? "second" : "first")->attr = attrs[i];
}

static int check(const char *fields, const struct attr *attrs, size_t n, struct script_fields *f,
		 struct err *err)
{
	struct recording rec;
	int failed;

	memset(err, 0, sizeof(*err));
	script_fields_init(f, true);
	failed = fields ? script_fields_parse(f, fields, err) : 0;
	make(&rec, attrs, n);
	if (!failed)
		failed = script_fields_check(f, &rec, err);
	event_set_release(&rec.m.events);
	return failed;
}

#define USUAL (SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_PERIOD)

static void fields_follow_what_samples_have(void **state)
{
	const struct attr plain[] = {{.type = TYPE_SOFTWARE, .sample_type = USUAL}};
	const struct attr chains[] = {
		{.type = TYPE_SOFTWARE, .sample_type = USUAL | SAMPLE_CALLCHAIN | SAMPLE_CPU},
		{.type = TYPE_TRACEPOINT, .sample_type = USUAL | SAMPLE_CALLCHAIN | SAMPLE_RAW}};
	struct script_fields f;
	struct err err;

	(void)state;
	assert_int_equal(check(NULL, plain, 1, &f, &err), 0);
	assert_true(f.types[TYPE_SOFTWARE].fields ==
		    (FIELD_COMM | FIELD_TID | FIELD_TIME | FIELD_EVENT | FIELD_IP | FIELD_SYM |
		     FIELD_SYMOFF | FIELD_DSO | FIELD_PERIOD | FIELD_BPF_OUTPUT));
	assert_false(f.chains);
	assert_int_equal(check(NULL, chains, 2, &f, &err), 0);
	assert_true(f.chains);
	assert_true(f.types[TYPE_SOFTWARE].fields & FIELD_CPU);
	assert_true(f.types[TYPE_TRACEPOINT].fields & FIELD_TRACE);
	assert_true(f.types[TYPE_TRACEPOINT].fields & FIELD_SYMOFF);
}

static void fields_are_set_added_and_taken_away(void **state)
{
	const struct attr plain[] = {{.type = TYPE_SOFTWARE, .sample_type = USUAL}};
	struct script_fields f;
	struct err err;

	(void)state;
	assert_int_equal(check("ip,sym", plain, 1, &f, &err), 0);
	assert_true(f.types[TYPE_SOFTWARE].fields == (FIELD_IP | FIELD_SYM));
	assert_int_equal(check("+misc,-comm", plain, 1, &f, &err), 0);
	assert_true(f.types[TYPE_SOFTWARE].fields & FIELD_MISC);
	assert_false(f.types[TYPE_SOFTWARE].fields & FIELD_COMM);
	assert_int_equal(check("sw:ip", plain, 1, &f, &err), 0);
	assert_true(f.types[TYPE_SOFTWARE].fields == FIELD_IP);
	assert_true(f.types[TYPE_HARDWARE].fields & FIELD_COMM);
	assert_int_equal(check("flags", plain, 1, &f, &err), 0);
	assert_true(f.flags);
	assert_int_equal(check("trace,ip", plain, 1, &f, &err), 0);
	assert_non_null(strstr(buf_text(&f.warnings),
			       "'trace' not valid for software events. Ignoring.\n"));
	script_fields_release(&f);
}

static void wrong_fields_are_refused(void **state)
{
	static const struct {
		const char *fields, *text;
	} cases[] = {
		{"nonsense", "Invalid field requested."},
		{"foo:ip", "Invalid event type in field string."},
		{"", "Cannot set fields to 'none' for all event types."},
		{"ip,-sym", "Cannot mix +-field with overridden fields"},
		{"+ip,sym", "Cannot mix +-field with overridden fields"},
		{"sw:trace", "'trace' not valid for software events."},
		{"hw:", "hardware events do not exist. Remove corresponding -F option to proceed."},
		{"cpu", "Samples for 'first' event do not have CPU attribute set. Cannot print "
			"'cpu' field."},
		{"symoff", "Display of offsets requested but symbol is not selected."},
		{"tod", "Can't provide 'tod' time, missing clock data. Please record with "
			"-k/--clockid option."},
	};
	const struct attr plain[] = {{.type = TYPE_SOFTWARE, .sample_type = USUAL}};
	struct script_fields f;
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(check(cases[i].fields, plain, 1, &f, &err), -1);
		assert_string_equal(err.text, cases[i].text);
		script_fields_release(&f);
	}
}

static const char *text_of(const struct record *r)
{
	static struct buf b;

	buf_clear(&b);
	record_text(r, NULL, &b);
	return buf_text(&b);
}

static void side_band_is_put_into_words(void **state)
{
	const uint64_t links[] = {4, 0xeffffff8, 4, 0};
	const uint8_t code[] = {0x90, 0xcc, 0xe9};
	struct record comm = {.header = {.type = RECORD_COMM, .misc = MISC_COMM_EXEC},
			      .comm = {.pid = 7, .tid = 8, .comm = "ls"}};
	struct record mmap = {.header = {.type = RECORD_MMAP2, .misc = MISC_USER},
			      .mmap = {.pid = (uint32_t)-1,
				       .addr = 0x1000,
				       .len = 0x20,
				       .maj = 8,
				       .min = 0xa1,
				       .ino = 9,
				       .prot = PROT_READ | PROT_EXEC,
				       .flags = MAP_PRIVATE,
				       .filename = "/a b"}};
	struct record fork = {.header = {.type = RECORD_FORK},
			      .task = {.pid = 3, .tid = 4, .ppid = 1, .ptid = 2}};
	struct record ns = {.header = {.type = RECORD_NAMESPACES},
			    .namespaces = {.pid = 1, .tid = 1, .nr = 2, .links = links}};
	struct record out = {.header = {.type = RECORD_SWITCH_CPU_WIDE,
					.misc = MISC_SWITCH_OUT | MISC_SWITCH_PREEMPT},
			     .context_switch = {.next_prev_pid = 18, .next_prev_tid = 19}};
	struct record poke = {
		.header = {.type = RECORD_TEXT_POKE},
		.text_poke = {.addr = 0x10, .old_len = 1, .new_len = 2, .bytes = code}};

	(void)state;
	assert_string_equal(text_of(&comm), "PERF_RECORD_COMM exec: ls:7/8\n");
	assert_string_equal(text_of(&mmap),
			    "PERF_RECORD_MMAP2 -1/0: [0x1000(0x20) @ 0 08:a1 9 0]: r-xp /a b\n");
	assert_string_equal(text_of(&fork), "PERF_RECORD_FORK(3:4):(1:2)\n");
	assert_string_equal(text_of(&ns), "PERF_RECORD_NAMESPACES 1/1 - nr_namespaces: 2\n"
					  "\t\t[0/net: 4/0xeffffff8, 1/uts: 4/0]\n");
	assert_string_equal(text_of(&out), "PERF_RECORD_SWITCH_CPU_WIDE OUT preempt  next pid/tid: "
					   "   18/19   \n");
	assert_string_equal(text_of(&poke),
			    "PERF_RECORD_TEXT_POKE 10  old len 1 new len 2\n"
			    "            Old bytes: 90\n            New bytes: cc e9\n");
}

static void odd_values_are_put_into_words(void **state)
{
	static const uint8_t bytes[] = "hello";
	const struct sample sample = {.raw = bytes, .raw_size = sizeof(bytes)};
	struct record r = {
		.header = {.type = RECORD_SWITCH, .misc = MISC_HYPERVISOR | MISC_SWITCH_OUT}};
	struct buf b = {0};

	(void)state;
	script_page_size(0, &b);
	script_page_size(4096, &b);
	script_page_size(2 << 20, &b);
	script_page_size(1500, &b);
	assert_string_equal(buf_text(&b), " N/A 4K 2M 1500B");
	buf_clear(&b);
	script_misc(&r, &b);
	assert_string_equal(buf_text(&b), "KUHS  ");
	buf_clear(&b);
	script_bpf_output(&sample, &b);
	assert_string_equal(buf_text(&b),
			    "\n      BPF output: 0000: 68 65 6c 6c 6f 00        hello.  \n"
			    "      BPF string: \"hello\"\n");
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_accesses_are_put_into_words),
		cmocka_unit_test(registers_have_their_machine_s_names),
		cmocka_unit_test(fields_follow_what_samples_have),
		cmocka_unit_test(fields_are_set_added_and_taken_away),
		cmocka_unit_test(wrong_fields_are_refused),
		cmocka_unit_test(side_band_is_put_into_words),
		cmocka_unit_test(odd_values_are_put_into_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
