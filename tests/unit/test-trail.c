// SPDX-License-Identifier: MIT
/* What is kept of a thread's last walk, and for which frames of the next one it holds. */
#include "unit.h"

#include "symbol/unwind/trail.h"

#include <string.h>

static void frames_are_found_from_the_innermost_outwards(void **state)
{
	struct trail t = {0};
	size_t next = 0;

	(void)state;
	trail_begin(&t, 7, 1, 0);
	for (uint32_t i = 0; i < 5; i++)
		trail_add(&t, 0x100 * (i + 1), 0x7000 + 24 * i, 10 + i);
	/* another leaf, where the trail has a frame, too */
	assert_null(trail_find(&t, 0x999, 0x7000, &next));
	assert_null(trail_find(&t, 0x200, 0x7000, &next));
	assert_int_equal(trail_find(&t, 0x200, 0x7018, &next)->rule, 11);
	/* one that the trail doesn't have, between two that it has */
	assert_null(trail_find(&t, 0x777, 0x7020, &next));
	assert_null(trail_find(&t, 0x777, 0x7030, &next));
	assert_int_equal(trail_find(&t, 0x400, 0x7048, &next)->rule, 13);
	/* what lies further in was passed */
	assert_null(trail_find(&t, 0x300, 0x7030, &next));
	assert_int_equal(trail_find(&t, 0x500, 0x7060, &next)->rule, 14);
	assert_null(trail_find(&t, 0x600, 0x7078, &next));
	assert_null(trail_find(&t, 0x600, 0x7090, &next));
	vec_release(&t.frames);
}

static void another_thread_space_or_numbering_begins_anew(void **state)
{
	struct trail t = {0};

	(void)state;
	trail_begin(&t, 7, 1, 0);
	trail_add(&t, 0x100, 0x7000, 10);
	trail_begin(&t, 7, 1, 0);
	assert_int_equal(t.frames.n, 1);
	trail_begin(&t, 8, 1, 0);
	assert_int_equal(t.frames.n, 0);
	trail_add(&t, 0x100, 0x7000, 10);
	trail_begin(&t, 8, 2, 0);
	assert_int_equal(t.frames.n, 0);
	trail_add(&t, 0x100, 0x7000, 10);
	trail_begin(&t, 8, 2, 1);
	assert_int_equal(t.frames.n, 0);
	vec_release(&t.frames);
}

static void the_innermost_frames_are_kept(void **state)
{
	struct trail t = {0};

	(void)state;
	for (uint32_t i = 0; i < TRAIL_MOST + 10; i++)
		trail_add(&t, i, i, i);
	assert_int_equal(t.frames.n, TRAIL_MOST);
	assert_int_equal(t.frames.at[TRAIL_MOST - 1].rule, TRAIL_MOST - 1);
	vec_release(&t.frames);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_found_from_the_innermost_outwards),
		cmocka_unit_test(another_thread_space_or_numbering_begins_anew),
		cmocka_unit_test(the_innermost_frames_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
