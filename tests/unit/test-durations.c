// SPDX-License-Identifier: MIT
/* Where functions end, and the histogram of how long they took. */
#include "unit.h"

#include "analysis/durations/call_counts.h"
#include "base/buf.h"
#include "probe/function_probes.h"
#include "symbol/function_exits.h"

#include <elf.h>

static void histograms_know_values_to_three_percent(void **state)
{
	struct histogram h = {0};

	(void)state;
	assert_int_equal(histogram_at(&h, 500), 0);
	for (uint64_t v = 1; v <= 1000; v++)
		histogram_add(&h, v * 1000);
	for (unsigned int permille = 1; permille <= 1000; permille++) {
		const double got = (double)histogram_at(&h, permille), want = permille * 1000.0;

		assert_true(got >= want * 0.97 && got <= want * 1.03);
	}
	assert_int_equal(h.min, 1000);
	assert_int_equal(h.max, 1000000);
	histogram_release(&h);
}

/* All values lie in the ranges, each once, and the ranges touch each other. */
static void ranges_hold(const struct histogram *h, enum histogram_scale scale, size_t want)
{
	uint64_t from, to, before = 0, n = 0;
	size_t i = 0;

	for (; histogram_range(h, scale, i, &from, &to); i++) {
		if (i)
			assert_int_equal(from, before);
		assert_true(from < to && from <= h->max && (i || from <= h->min));
		n += histogram_count(h, from, to);
		before = to;
	}
	assert_int_equal(n, h->n);
	assert_int_equal(i, want);
}

static void ranges_hold_all_values(void **state)
{
	struct histogram h = {0};

	(void)state;
	ranges_hold(&h, HISTOGRAM_LOG, 0);
	ranges_hold(&h, HISTOGRAM_LINEAR, 0);
	histogram_add(&h, 100);
	ranges_hold(&h, HISTOGRAM_LOG, 1);
	ranges_hold(&h, HISTOGRAM_LINEAR, 26);
	for (uint64_t v = 100; v < 1000000; v += 77)
		histogram_add(&h, v);
	ranges_hold(&h, HISTOGRAM_LOG, 14);
	ranges_hold(&h, HISTOGRAM_LINEAR, 31);
	histogram_add(&h, 0);
	ranges_hold(&h, HISTOGRAM_LOG, 21);
	ranges_hold(&h, HISTOGRAM_LINEAR, 31);
	histogram_release(&h);
}

static void small_and_huge_values_have_buckets(void **state)
{
	struct histogram h = {0};

	(void)state;
	for (uint64_t v = 0; v < 64; v++)
		histogram_add(&h, v);
	assert_int_equal(histogram_at(&h, 500), 31);
	assert_int_equal(histogram_count(&h, 8, 16), 8);
	histogram_add(&h, UINT64_MAX / 2);
	assert_int_equal(histogram_at(&h, 1000), UINT64_MAX / 2);
	assert_int_equal(histogram_count(&h, 1ull << 62, 1ull << 63), 1);
	histogram_release(&h);
}

/* A percentile is a value that was there: never below the least or above the greatest. */
static void one_value_is_all_percentiles(void **state)
{
	struct histogram h = {0};

	(void)state;
	histogram_add(&h, 123456789);
	assert_int_equal(histogram_at(&h, 0), 123456789);
	assert_int_equal(histogram_at(&h, 500), 123456789);
	assert_int_equal(histogram_at(&h, 999), 123456789);
	histogram_release(&h);
}

static void events_of_parts_have_names(void **state)
{
	struct function_probes f = {.parts = 2};
	const char *kind;
	unsigned int part;

	(void)state;
	vec_add(&f.functions, (struct probed_function){.name = "a", .exits = 1, .part = 1});
	vec_add(&f.functions, (struct probed_function){.name = "b", .exit = 1, .exits = 1});
	vec_add(&f.exits, (struct probed_exit){.at = 1});
	vec_add(&f.exits, (struct probed_exit){.at = 2, .jump = true});
	function_probes_split(&f);
	assert_int_equal(f.parts, 2);
	assert_string_equal(function_probes_event(&f, CALL_ENTRY, 2), "call_entry_2");
	assert_string_equal(function_probes_event(&f, CALL_RETURN, 1), "call_return_1");
	assert_null(function_probes_event(&f, CALL_JUMP, 1));
	assert_string_equal(function_probes_event(&f, CALL_JUMP, 2), "call_jump_2");
	assert_null(function_probes_event(&f, CALL_ENTRY, 3));
	assert_true(function_probes_part("call_return_12", &kind, &part));
	assert_string_equal(kind, CALL_RETURN);
	assert_int_equal(part, 12);
	assert_true(function_probes_part("call_entry", NULL, &part));
	assert_int_equal(part, 0);
	assert_false(function_probes_part("call_entry_", &kind, &part));
	assert_false(function_probes_part("call_entry_1x", &kind, &part));
	assert_false(function_probes_part("call_entrance", &kind, &part));
	vec_release(&f.functions);
	vec_release(&f.exits);
	arena_release(&f.arena);
}

/* Offset and kind of each exit: "5r 9j ". */
static void exits_are(uint16_t machine, const struct function_part *parts, size_t n,
		      const char *want)
{
	struct function_exits exits = {0};
	struct buf text = {0};

	assert_true(function_exits_find(machine, parts, n, &exits));
	for (size_t i = 0; i < exits.n; i++)
		buf_printf(&text, "%d%c ", (int)exits.at[i].at, exits.at[i].jump ? 'j' : 'r');
	assert_string_equal(buf_text(&text), want);
	vec_release(&exits);
	buf_release(&text);
}

#define PART(from, code)                                                                           \
	{                                                                                          \
		from, from + sizeof(code), code                                                    \
	}

static void x86_exits_are_found(void **state)
{
	static const uint8_t returns[] = {
		0xf3, 0x0f, 0x1e, 0xfa,	      /* 100: endbr64 */
		0x74, 0x02,		      /* 104: je 108 */
		0xf3, 0xc3,		      /* 106: rep ret */
		0xb8, 0xc3, 0xc3, 0xc3, 0xc3, /* 108: mov, whose bytes look like returns */
		0xc2, 0x08, 0x00,	      /* 113: ret 8 */
		0xeb, 0xee,		      /* 116: jmp 100, a loop */
	};
	static const uint8_t jumps[] = {
		0xeb, 0x10,			    /* 100: jmp 118, out of the function */
		0xe9, 0xf9, 0xff, 0xff, 0xff,	    /* 102: jmp 100, inside */
		0x0f, 0x84, 0xf3, 0x01, 0x00, 0x00, /* 107: je 608, the cold part */
		0x3e, 0xff, 0xe0,		    /* 113: notrack jmp *%rax */
		0xff, 0xd0,			    /* 116: call *%rax */
	};
	static const uint8_t cold[] = {
		0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
		0x90, 0xe9, 0x00, 0x10, 0x00, 0x00, /* 608: jmp far away */
		0xe9, 0xf1, 0xfd, 0xff, 0xff,	    /* 613: jmp 99: before the function */
	};
	static const uint8_t broken[] = {0x90, 0x0f};
	const struct function_part one[] = {PART(100, returns)};
	const struct function_part two[] = {PART(100, jumps), PART(600, cold)};
	const struct function_part bad[] = {PART(100, broken)};
	struct function_exits none = {0};

	(void)state;
	exits_are(EM_X86_64, one, 1, "106r 113r ");
	exits_are(EM_X86_64, two, 2, "100j 113j 608j 613j ");
	assert_false(function_exits_find(EM_X86_64, bad, 1, &none));
	assert_false(function_exits_find(EM_386, one, 1, &none));
	assert_int_equal(none.n, 0);
	vec_release(&none);
}

static void arm64_exits_are_found(void **state)
{
	static const uint8_t code[] = {
		0x3f, 0x23, 0x03, 0xd5, /* 100: paciasp */
		0xfe, 0xff, 0xff, 0x17, /* 104: b 96, out of the function */
		0xff, 0xff, 0xff, 0x17, /* 108: b 104, inside */
		0x00, 0x02, 0x1f, 0xd6, /* 112: br x16 */
		0x00, 0x02, 0x3f, 0xd6, /* 116: blr x16, a call */
		0xff, 0x0b, 0x5f, 0xd6, /* 120: retaa */
		0xc0, 0x03, 0x5f, 0xd6, /* 124: ret */
	};
	const struct function_part parts[] = {PART(100, code)};

	(void)state;
	exits_are(EM_AARCH64, parts, 1, "104j 112j 120r 124r ");
}

/* Two processes have called the same function, which is known by its address only. */
static void counts_of_processes_are_added(void **state)
{
	struct call_table *table = calloc(1, sizeof(*table));
	struct durations d = {0};
	struct dso_set dsos;
	const struct symbol_options options = {0};

	(void)state;
	assert_non_null(table);
	table->processes = 2;
	table->cost_ns = 61;
	for (int i = 1; i <= 2; i++) {
		struct call_table_function *f = &table->functions[i * 10];

		f->key = (uint64_t)i;
		f->place.address = 0x1230;
		f->place.file = i == 1 ? 0 : PRELOAD_FILES + 1; /* in no file, and a wrong one */
		f->entered = 10;
		f->returned = 6;
		f->left = 2;
		f->cut = 1;
		f->total_ns = 900;
		f->self_ns = 400;
		f->max_ns = (uint64_t)i * 50;
		f->buckets[i * 50] = 6;
	}
	dso_set_init(&dsos, &options);
	call_counts_read(&d, table, "[[]0x12*,other", &dsos);
	assert_int_equal(d.functions.n, 1);
	assert_string_equal(d.functions.at[0].name, "[0x1230]");
	assert_int_equal(d.functions.at[0].calls.n, 12);
	assert_int_equal(d.functions.at[0].calls.min, 50);
	assert_int_equal(d.functions.at[0].calls.max, 100);
	assert_int_equal(histogram_at(&d.functions.at[0].calls, 500), 50);
	assert_int_equal(d.functions.at[0].total_ns, 1800);
	assert_int_equal(d.functions.at[0].self_ns, 800);
	assert_int_equal(d.functions.at[0].left, 4);
	assert_int_equal(d.functions.at[0].cut, 2);
	assert_int_equal(d.functions.at[0].open, 2);
	assert_int_equal(d.probes_hit, 32);
	assert_int_equal(d.hit_ns, 31);
	durations_release(&d);
	d = (struct durations){0};
	call_counts_read(&d, table, "other", &dsos);
	assert_int_equal(d.functions.n, 0);
	durations_release(&d);
	dso_set_release(&dsos);
	free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(histograms_know_values_to_three_percent),
		cmocka_unit_test(ranges_hold_all_values),
		cmocka_unit_test(small_and_huge_values_have_buckets),
		cmocka_unit_test(one_value_is_all_percentiles),
		cmocka_unit_test(counts_of_processes_are_added),
		cmocka_unit_test(events_of_parts_have_names),
		cmocka_unit_test(x86_exits_are_found),
		cmocka_unit_test(arm64_exits_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
