// SPDX-License-Identifier: MIT
/* The ledger of what cannot be vouched for is told in one line. */
#include "unit.h"

#include "base/mem.h"
#include "data/losses.h"

static void the_ledger_is_told(void **state)
{
	const uint64_t frames[NAMELESS_KINDS] = {[NAMELESS_NOT] = 959, [NAMELESS_STRIPPED] = 41};
	const uint64_t others[NAMELESS_KINDS] = {[NAMELESS_NOT] = 2880, [NAMELESS_NOWHERE] = 120};
	struct losses l = {0};
	AUTO_BUF b = {0};

	(void)state;
	losses_show(&l, &b);
	assert_int_equal(b.n, 0);
	losses_add(&l, LOSS_EVENTS, 12, 100);
	losses_add(&l, LOSS_CORRUPT, 1, 500);
	losses_add(&l, LOSS_CORRUPT, 1, 900);
	assert_int_equal(l.kind[LOSS_CORRUPT].offset, 500);
	losses_add_frames(&l, frames);
	losses_show(&l, &b);
	assert_string_equal(buf_text(&b),
			    "12 events lost, 2 damaged records, 4.1 % of frames have no name "
			    "(stripped files)");
	buf_clear(&b);
	losses_add_frames(&l, others);
	losses_show(&l, &b);
	assert_string_equal(buf_text(&b),
			    "12 events lost, 2 damaged records, 4.0 % of frames have no name "
			    "(3.0 %: nothing is known to be mapped there; 1.0 %: stripped files)");
}

static void a_share_that_is_there_is_never_zero(void **state)
{
	const uint64_t frames[NAMELESS_KINDS] = {
		[NAMELESS_NOT] = 9990, [NAMELESS_STRIPPED] = 1, [NAMELESS_NOWHERE] = 9};
	struct losses l = {0};
	AUTO_BUF b = {0};

	(void)state;
	losses_add_frames(&l, frames);
	losses_show(&l, &b);
	assert_string_equal(buf_text(&b),
			    "0.1 % of frames have no name (under 0.1 %: nothing is known to be "
			    "mapped there, stripped files)");
}

static void reasons_of_next_to_nothing_share_a_share(void **state)
{
	const struct {
		uint64_t frames[NAMELESS_KINDS];
		const char *text;
	} tries[] = {
		{{[NAMELESS_NOT] = 99998, [NAMELESS_STRIPPED] = 1, [NAMELESS_NOWHERE] = 1},
		 "under 0.1 % of frames have no name (nothing is known to be mapped there, "
		 "stripped files)"},
		{{[NAMELESS_NOT] = 70000, [NAMELESS_STRIPPED] = 29980, [NAMELESS_NOWHERE] = 20},
		 "30.0 % of frames have no name (30.0 %: stripped files; under 0.1 %: nothing is "
		 "known to be mapped there)"},
		{{[NAMELESS_NOT] = 99999, [NAMELESS_STRIPPED] = 1},
		 "under 0.1 % of frames have no name (stripped files)"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(tries); i++) {
		struct losses l = {0};
		AUTO_BUF b = {0};

		losses_add_frames(&l, tries[i].frames);
		losses_show(&l, &b);
		assert_string_equal(buf_text(&b), tries[i].text);
	}
}

/* What the kernel counted holds what full rings said of themselves, and more. */
static void nothing_is_lost_twice(void **state)
{
	struct losses l = {0}, more = {.samples_counted = true};
	AUTO_BUF b = {0};

	(void)state;
	losses_add(&l, LOSS_EVENTS, 21, 100);
	losses_add(&more, LOSS_SAMPLES, 21, 200);
	losses_merge(&l, &more);
	losses_show(&l, &b);
	assert_string_equal(buf_text(&b), "21 samples lost");
	assert_true(losses_any(&l));
	/* the rest were names and maps */
	buf_clear(&b);
	losses_add(&l, LOSS_EVENTS, 4, 300);
	losses_show(&l, &b);
	assert_string_equal(buf_text(&b), "4 events lost, 21 samples lost");
	/* an older kernel counts samples that a processor dropped, not those that a ring had no
	 * room for */
	buf_clear(&b);
	l.samples_counted = false;
	losses_show(&l, &b);
	assert_string_equal(buf_text(&b), "25 events lost, 21 samples lost");
}

static void chains_without_callers_are_told_with_advice(void **state)
{
	struct losses l = {0};
	AUTO_BUF b = {0};

	(void)state;
	losses_add_bare(&l, 49, 1000);
	losses_show(&l, &b);
	assert_int_equal(b.n, 0); /* below one in 20 */
	assert_false(losses_any(&l));
	losses_add_bare(&l, 71, 0);
	losses_show(&l, &b);
	assert_string_equal(buf_text(&b), "12.0 % of call chains show no caller in user space "
					  "(no frame pointers: record with --call-graph dwarf)");
	assert_false(losses_any(&l));
	buf_clear(&b);
	losses_add(&l, LOSS_CHAIN_CUT, 204, 0);
	losses_show(&l, &b);
	assert_string_equal(buf_text(&b), "204 call chains cut at the greatest depth "
					  "(--max-stack, kernel.perf_event_max_stack), "
					  "12.0 % of call chains show no caller in user space "
					  "(no frame pointers: record with --call-graph dwarf)");
	assert_true(losses_any(&l));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_ledger_is_told),
		cmocka_unit_test(a_share_that_is_there_is_never_zero),
		cmocka_unit_test(reasons_of_next_to_nothing_share_a_share),
		cmocka_unit_test(nothing_is_lost_twice),
		cmocka_unit_test(chains_without_callers_are_told_with_advice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
