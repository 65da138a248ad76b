// SPDX-License-Identifier: MIT
/* What kernel functions in the stacks of the scheduler's samples say. */
#include "recordings.h"

#include "analysis/wall/wall_frames.h"
#include "analysis/wall/wall_stack.h"

static void add_function(struct world *world, uint64_t address, const char *name)
{
	const struct record r = {
		.header.type = RECORD_KSYMBOL,
		.ksymbol = {.addr = address, .len = 0x100, .ksym_type = 1, .name = name}};

	world_add(world, &r, 1);
}

/* Kernel functions, from the innermost one on, as KSYMBOL records name them. */
static void programs_and_interrupts_show_in_stacks(void **state)
{
	static const uint64_t by_program[] = {CONTEXT_KERNEL, 0xffffffffc1000010,
					      0xffffffffc2000010, 0xffffffffc3000010,
					      0xffffffffc1000020},
			      by_timer[] = {CONTEXT_KERNEL, 0xffffffffc3000010, 0xffffffffc4000010,
					    CONTEXT_USER, 0x1000},
			      by_timeout[] = {CONTEXT_KERNEL, 0xffffffffc6000010,
					      0xffffffffc4000010, CONTEXT_USER, 0x1000},
			      on_return[] = {CONTEXT_KERNEL, 0xffffffffc3000010, 0xffffffffc5000010,
					     0xffffffffc4000010},
			      of_user[] = {CONTEXT_USER, 0xffffffffc4000010};
	struct sample sample = {.type = SAMPLE_CALLCHAIN | SAMPLE_IP, .ip = 0xffffffffc1000010};
	struct record r = {.header.type = RECORD_SAMPLE};
	struct wall_frames frames = {0};
	struct wall_stack stack = {0};
	struct symbol_options none = {0};
	struct measurement m = {0};
	struct world *world = world_new(&m, &none);
	uint32_t epoch;

	(void)state;
	add_function(world, 0xffffffffc1000000, "bpf_prog_1234_on_switch");
	add_function(world, 0xffffffffc2000000, "bpf_trace_run4");
	add_function(world, 0xffffffffc3000000, "__schedule");
	add_function(world, 0xffffffffc4000000, "asm_sysvec_apic_timer_interrupt");
	add_function(world, 0xffffffffc5000000, "irqentry_exit_to_user_mode");
	add_function(world, 0xffffffffc6000000, "hrtimer_wakeup");
	epoch = world_epoch(world, world_thread(world, 7, 7, WORLD_NOW), WORLD_NOW);
#define USE(chain) sample.callchain = chain, sample.callchain_nr = ARRAY_SIZE(chain)
	USE(by_program);
	assert_int_equal(wall_frames_of_programs(&frames, world, epoch, &sample), 2);
	assert_int_equal(wall_frames_waker(&frames, world, epoch, &sample), WALL_NO_WAKER);
	r.sample = sample;
	wall_stack_keep(&stack, &r);
	wall_stack_drop_frames(&stack, 2);
	assert_int_equal(stack.r.sample.callchain_nr, 3);
	assert_int_equal(stack.r.sample.callchain[0], CONTEXT_KERNEL);
	assert_int_equal(stack.r.sample.callchain[1], 0xffffffffc3000010);
	assert_int_equal(stack.r.sample.callchain[2], 0xffffffffc1000020);
	assert_int_equal(stack.r.sample.ip, 0xffffffffc3000010);
	wall_stack_drop_frames(&stack, 2); /* nothing would be left */
	assert_int_equal(stack.r.sample.callchain_nr, 3);
	USE(by_timer);
	assert_int_equal(wall_frames_of_programs(&frames, world, epoch, &sample), 0);
	assert_int_equal(wall_frames_waker(&frames, world, epoch, &sample), WALL_INTERRUPT);
	USE(by_timeout);
	assert_int_equal(wall_frames_waker(&frames, world, epoch, &sample), WALL_TIMER);
	USE(on_return);
	assert_int_equal(wall_frames_waker(&frames, world, epoch, &sample), WALL_NO_WAKER);
	USE(of_user);
	assert_int_equal(wall_frames_of_programs(&frames, world, epoch, &sample), 0);
	assert_int_equal(wall_frames_waker(&frames, world, epoch, &sample), WALL_NO_WAKER);
	wall_stack_release(&stack);
	wall_frames_release(&frames);
	world_free(world);
	measurement_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_and_interrupts_show_in_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
