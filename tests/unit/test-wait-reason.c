// SPDX-License-Identifier: MIT
/* Why threads wait, as the functions in their stacks tell it. */
#include "recordings.h"

#include "profile/table/key/wait_reason.h"

/* Of functions from the innermost one; 'k' those of the kernel. */
static void reason_in_is(enum wall_state state, const char *const *names, uint32_t n,
			 const char *want)
{
	static const uint32_t ids[] = {0, 1, 2, 3, 4};
	struct frame_where wheres[5];
	struct frames frames = {0};

	for (uint32_t i = 0; i < n; i++) {
		wheres[i] = (struct frame_where){.name = names[i] + 2};
		vec_add(&frames.frames, (struct frame){.where = &wheres[i], .level = names[i][0]});
	}
	assert_int_equal(chain_set_put(&frames.chains, ids, n), 0);
	assert_string_equal(wait_reason(&frames, 0, state, MISC_KERNEL, 0), want);
	vec_release(&frames.frames);
	chain_set_release(&frames.chains);
}

static void reason_is(const char *const *names, uint32_t n, const char *want)
{
	reason_in_is(WALL_BLOCKED, names, n, want);
}

static void the_innermost_function_is_the_reason(void **state)
{
	static const char *const lock[] = {"k schedule", "k __mutex_lock.constprop.0",
					   "k pipe_write", "k ksys_write"},
				*const fault[] = {"k io_schedule", "k folio_wait_bit_common",
						  "k filemap_fault", "k exc_page_fault"},
				*const read[] = {"k io_schedule", "k filemap_read",
						 "k ksys_read"},
				*const libc[] = {". clock_nanosleep@@GLIBC_2.17", ". main"},
				*const own[] = {". pipe_read", ". main"},
				*const java[] = {"k futex_wait_queue", "k do_futex",
						 ". __futex_abstimed_wait_common", ". Unsafe_Park",
						 ". start_thread"},
				*const rust[] = {"k do_epoll_wait", ". epoll_wait",
						 ". tokio::runtime::park::Inner::park"};

	(void)state;
	reason_is(lock, 4, "kernel lock");
	reason_is(fault, 4, "page fault");
	reason_is(read, 3, "disk");
	reason_is(libc, 2, "sleep");
	reason_is(java, 5, "parked");
	reason_is(rust, 3, "poll"); /* waits for descriptors, too: not for work only */
	reason_is(own, 2, "-"); /* a program's function, whatever it is called */
}

static void a_task_that_stops_in_its_work_is_throttled(void **state)
{
	static const char *const in_work[] = {"k __schedule", "k __cond_resched", "k task_work_run",
					      "k exit_to_user_mode_loop"},
				*const in_call[] = {"k __schedule", "k __cond_resched",
						    "k generic_perform_write"},
				*const own[] = {". __schedule", ". __cond_resched",
						". task_work_run"};

	(void)state;
	reason_in_is(WALL_PREEMPTED, in_work, 4, "throttled");
	reason_in_is(WALL_PREEMPTED, in_work, 2, "preempted");
	reason_in_is(WALL_PREEMPTED, in_call, 3, "preempted");
	reason_in_is(WALL_PREEMPTED, own, 3, "preempted");
	reason_in_is(WALL_WOKEN, in_work, 4, "woken");
	assert_true(wait_state_reason(WALL_PREEMPTED, wait_reason_throttled()) ==
		    wait_reason_throttled());
	assert_true(wait_frame_throttled(0, "__schedule"));
	/* what the kernel told */
	assert_true(wait_reason_word(WAIT_RECORDED_THROTTLED) == wait_reason_throttled());
	assert_string_equal(wait_reason_word(WAIT_RECORDED_PREEMPTED), "preempted");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_innermost_function_is_the_reason),
		cmocka_unit_test(a_task_that_stops_in_its_work_is_throttled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
