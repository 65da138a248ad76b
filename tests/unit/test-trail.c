// SPDX-License-Identifier: MIT
/* What is kept of a way up a stack, and what has to be the same for it to be gone again. */
#include "unit.h"

#include "symbol/unwind/trail.h"

#include <string.h>

#define START 0x7000

static struct trail_step step(uint64_t ip, uint64_t sp)
{
	struct trail_step s;

	trail_step_begin(&s, &(struct trail_regs){.ip = ip, .sp = sp, .fp = ip + 1, .kept = ip + 2},
			 false);
	return s;
}

/* Three functions, the innermost first: each has its return address above 16 bytes of its own. */
static void three(struct trail_step *s)
{
	for (uint64_t i = 0; i < 3; i++) {
		s[i] = step(0x100 * (i + 1), START + 24 * i);
		trail_step_read(&s[i], START + 24 * i + 16, 0x100 * (i + 2), 0);
	}
}

static void registers_matter_where_a_frame_is_found_by_them(void **state)
{
	struct trail_regs now = {.ip = 0x100, .sp = START, .fp = 9, .kept = 9};
	struct trail_step s[3];
	struct trail t = {0};

	(void)state;
	three(s);
	trail_put(&t, 0, NULL, 0, s, 3, true);
	assert_int_equal(t.frames.n, 3);
	assert_int_equal(t.frames.at[0].regs.ip, 0x300);
	assert_int_equal(t.frames.at[2].needs, 0);
	assert_int_equal(t.frames.at[2].reads, 3);
	assert_true(trail_meets(&t.frames.at[2], &now, false));
	assert_false(trail_meets(&t.frames.at[2], &now, true));
	now.sp += 8;
	assert_false(trail_meets(&t.frames.at[2], &now, false));
	now.sp -= 8;

	/* the outermost is found by its frame pointer, which the others hand on */
	s[2].uses = TRAIL_FP;
	trail_put(&t, 0, NULL, 0, s, 3, true);
	assert_int_equal(t.frames.at[2].needs, TRAIL_FP);
	assert_false(trail_meets(&t.frames.at[2], &now, false));
	now.fp = 0x101;
	assert_true(trail_meets(&t.frames.at[2], &now, false));

	/* the one inside of it had saved it: its own doesn't matter, the word on the stack does */
	s[1].fp = TRAIL_READ;
	trail_step_read(&s[1], START + 32, 0x301, TRAIL_FP);
	trail_put(&t, 0, NULL, 0, s, 3, true);
	assert_int_equal(t.frames.at[2].needs, 0);
	assert_int_equal(t.frames.at[1].reads, 3);
	assert_int_equal(t.reads.at[2].value, 0x301);
	s[2].uses = 0;
	trail_put(&t, 0, NULL, 0, s, 3, true);
	assert_int_equal(t.frames.at[1].reads, 2); /* and here it doesn't */

	/* the same of the other register */
	s[2].uses = TRAIL_KEPT;
	s[0].kept = TRAIL_FIXED;
	trail_put(&t, 0, NULL, 0, s, 3, true);
	assert_int_equal(t.frames.at[1].needs, TRAIL_KEPT);
	assert_int_equal(t.frames.at[2].needs, 0);
	trail_release(&t);
}

static void words_of_the_stack_are_compared(void **state)
{
	uint64_t stack[9] = {0, 0, 0x200, 0, 0, 0x300, 0, 0, 0x400};
	struct trail_step s[3];
	struct trail t = {0};

	(void)state;
	three(s);
	trail_put(&t, 0, NULL, 0, s, 3, true);
	assert_int_equal(trail_differs(&t, 3, (uint8_t *)stack, sizeof(stack), START, 8), 0);
	stack[1] = stack[3] = 77;
	assert_int_equal(trail_differs(&t, 3, (uint8_t *)stack, sizeof(stack), START, 8), 0);
	stack[5]++;
	assert_int_equal(trail_differs(&t, 3, (uint8_t *)stack, sizeof(stack), START, 8), 2);
	assert_int_equal(trail_differs(&t, 1, (uint8_t *)stack, sizeof(stack), START, 8), 0);
	stack[5]--;
	/* of a copy that is too short, or that begins further up, nothing is known */
	assert_int_equal(trail_differs(&t, 3, (uint8_t *)stack, sizeof(stack) - 1, START, 8), 1);
	assert_int_equal(trail_differs(&t, 3, (uint8_t *)(stack + 3), 48, START + 24, 8), 3);
	assert_int_equal(trail_differs(&t, 2, (uint8_t *)(stack + 3), 48, START + 24, 8), 0);
	trail_release(&t);
}

static void what_cannot_be_kept_ends_it(void **state)
{
	struct trail_step s[3], many[TRAIL_MOST + 10];
	struct trail t = {0};

	(void)state;
	three(s);
	s[1].n = TRAIL_READS + 1;
	trail_put(&t, 0, NULL, 0, s, 3, true);
	assert_int_equal(t.frames.n, 1);
	/* a saved register that the copy didn't hold: another one may */
	three(s);
	s[1].kept = TRAIL_GONE;
	trail_put(&t, 0, NULL, 0, s, 3, true);
	assert_int_equal(t.frames.n, 3);
	s[2].uses = TRAIL_KEPT;
	trail_put(&t, 0, NULL, 0, s, 3, true);
	assert_int_equal(t.frames.n, 1);
	for (size_t i = 0; i < ARRAY_SIZE(many); i++)
		many[i] = step(i, START + i);
	trail_put(&t, 0, NULL, 0, many, ARRAY_SIZE(many), true);
	assert_int_equal(t.frames.n, TRAIL_MOST);
	assert_int_equal(t.frames.at[0].regs.ip, ARRAY_SIZE(many) - 1);
	for (int i = 0; i < TRAIL_READS; i++)
		trail_step_read(&s[0], 0, 0, 0);
	assert_int_equal(s[0].n, TRAIL_READS + 1);
	trail_release(&t);
}

static void ways_are_joined(void **state)
{
	struct trail_step s[3], more[2], outer[2];
	struct trail t = {.thread = 5, .space = 6};

	(void)state;
	three(s);
	s[2].n = 0;
	s[2].uses = TRAIL_ALL; /* nobody knows how to go on from there */
	trail_put(&t, 0, NULL, 0, s, 3, false);
	assert_int_equal(t.frames.at[2].reads, 2);

	/* two other functions below the middle one */
	more[0] = step(0x11, START - 16);
	more[1] = step(0x12, START + 8);
	trail_step_read(&more[1], START + 16, 0x200, 0);
	trail_put(&t, 2, NULL, 0, more, 2, false);
	assert_int_equal(t.frames.n, 4);
	assert_int_equal(t.frames.at[1].regs.ip, 0x200);
	assert_int_equal(t.frames.at[2].regs.ip, 0x12);
	assert_int_equal(t.frames.at[3].regs.ip, 0x11);
	assert_int_equal(t.frames.at[3].reads, 2);
	assert_int_equal(t.reads.at[1].at, START + 16);

	/* and now the outermost one's caller is found, too, which has none */
	outer[0] = step(0x300, START + 48);
	trail_step_read(&outer[0], START + 64, 0x400, 0);
	outer[1] = step(0x400, START + 72);
	trail_put(&t, 3, outer, 2, more, 1, true);
	assert_true(t.whole && t.thread == 5 && t.space == 6);
	assert_int_equal(t.frames.n, 5);
	assert_int_equal(t.frames.at[0].regs.ip, 0x400);
	assert_int_equal(t.frames.at[1].regs.ip, 0x300);
	assert_int_equal(t.frames.at[2].regs.ip, 0x200);
	assert_int_equal(t.frames.at[3].regs.ip, 0x12);
	assert_int_equal(t.frames.at[4].regs.ip, 0x11);
	assert_int_equal(t.frames.at[1].reads, 1);
	assert_int_equal(t.frames.at[2].reads, 2);
	assert_int_equal(t.frames.at[3].reads, 3);
	assert_int_equal(t.reads.at[0].value, 0x400);
	assert_int_equal(t.reads.at[1].value, 0x300);
	assert_int_equal(t.reads.at[2].value, 0x200);
	trail_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_matter_where_a_frame_is_found_by_them),
		cmocka_unit_test(words_of_the_stack_are_compared),
		cmocka_unit_test(what_cannot_be_kept_ends_it),
		cmocka_unit_test(ways_are_joined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
