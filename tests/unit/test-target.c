// SPDX-License-Identifier: MIT
/* Tasks that are born while a process is attached to. */
#include "folder.h"

#include "capture/target.h"

static char root[] = "/tmp/test-target-XXXXXX";

static void put_task(int pid, int tid)
{
	char name[64];

	snprintf(name, sizeof(name), "proc/%d/task/%d/comm", pid, tid);
	folder_put(root, name, "x\n");
}

static void newborn_tasks_are_seen(void **state)
{
	struct target_options pid = {.pids = "71"}, tid = {.tids = "72"}, all = {.system_wide = true};
	struct target t = {0};
	char proc[64], sys[64], gone[80];

	(void)state;
	assert_non_null(mkdtemp(root));
	snprintf(proc, sizeof(proc), "%s/proc", root);
	snprintf(sys, sizeof(sys), "%s/sys", root);
	folder_put(root, "sys/devices/system/cpu/online", "0-1\n");
	put_task(71, 71);
	put_task(71, 72);
	assert_int_equal(target_find(&t, &pid, 0, proc, sys, NULL), 0);
	assert_int_equal(t.tids.n, 2);
	assert_false(target_grew(&t, &pid, proc, sys));
	/* one ends, another is born: as many as before */
	snprintf(gone, sizeof(gone), "%s/71/task/72", proc);
	assert_int_equal(folder_remove(gone), 0);
	assert_false(target_grew(&t, &pid, proc, sys));
	put_task(71, 75);
	assert_true(target_grew(&t, &pid, proc, sys));
	target_release(&t);
	/* threads by their ids, and everybody, have nobody to miss */
	put_task(71, 72);
	put_task(72, 72);
	if (!target_find(&t, &tid, 0, proc, sys, NULL)) {
		put_task(71, 76);
		assert_false(target_grew(&t, &tid, proc, sys));
		target_release(&t);
	}
	assert_int_equal(target_find(&t, &all, 0, proc, sys, NULL), 0);
	assert_false(target_grew(&t, &all, proc, sys));
	target_release(&t);
	folder_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(newborn_tasks_are_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
