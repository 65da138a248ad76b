// SPDX-License-Identifier: MIT
/* A command's start: clocks and counters begin when all that is left to it is its exec. */
#include "unit.h"

#include "capture/count/count_run.h"
#include "os/process/spawn.h"

#include <stdio.h>

static char program[] = "true";
static char *const command[] = {program, NULL};

static void comm_of(int pid, char out[32])
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	f = fopen(path, "re");
	assert_non_null(f);
	assert_non_null(fgets(out, 32, f));
	fclose(f);
}

static void a_ready_child_has_only_its_exec_left(void **state)
{
	struct err e = {0};
	char comm[32];

	(void)state;
	for (int i = 0; i < 20; i++) {
		struct spawn s;

		assert_int_equal(spawn_prepare(&s, command, NULL, &e), 0);
		spawn_wait_ready(&s);
		comm_of(s.pid, comm);
		assert_string_equal(comm, "perf-exec\n");
		assert_int_equal(spawn_go(&s, &e), 0);
		spawn_release(&s, false);
		assert_int_equal(spawn_exit_status(&s), 0);
	}
}

static void a_child_that_dies_before_is_not_waited_for(void **state)
{
	struct err e = {0};
	struct spawn s;

	(void)state;
	assert_int_equal(spawn_prepare(&s, command, NULL, &e), 0);
	spawn_end(&s);
	spawn_wait_ready(&s);
	spawn_release(&s, true);
	assert_int_equal(s.pid, 0);
}

/* At the start of each run. */
static int take(void *ctx, const struct count_tick *tick, struct err *err)
{
	char comm[32];

	(void)err;
	if (tick->moment != COUNT_START)
		return 0;
	comm_of(tick->target->tids.at[0], comm);
	assert_string_equal(comm, "perf-exec\n");
	++*(int *)ctx;
	return 0;
}

static void clocks_of_a_run_start_with_a_ready_child(void **state)
{
	const struct count_run_options opts = {.count = {.proc_root = "/proc", .sys_root = "/sys"},
					       .command = command,
					       .runs = 20,
					       .nothing = true};
	struct count_run_result result;
	struct event_set events = {0};
	struct err e = {0};
	int started = 0;

	(void)state;
	assert_int_equal(count_run(&opts, &events, take, &started, &result, &e), 0);
	assert_int_equal(started, 20);
	assert_int_equal(result.runs, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ready_child_has_only_its_exec_left),
		cmocka_unit_test(a_child_that_dies_before_is_not_waited_for),
		cmocka_unit_test(clocks_of_a_run_start_with_a_ready_child),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
