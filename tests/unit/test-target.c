// SPDX-License-Identifier: MIT
/* Tasks that are born while a process is attached to. */
#include "folder.h"

#include "capture/open/target.h"
#include "os/machine/host.h"
#include "os/process/process.h"

#include <unistd.h>

static char root[] = "/tmp/test-target-XXXXXX";

static void put_task(int pid, int tid)
{
	char name[64];

	snprintf(name, sizeof(name), "proc/%d/task/%d/comm", pid, tid);
	folder_put(root, name, "x\n");
}

static char proc[64], sys[64];

/* What happens while events are opened: who is born at each opening (0: nobody; -1: at each one
 * from here on). */
struct opening {
	int births[12];
	int opens, closes, next_tid, told;
};

static int open_for(void *ctx, bool again, struct err *err)
{
	struct opening *o = ctx;
	int at = MIN(o->opens, (int)ARRAY_SIZE(o->births) - 1), born = o->births[at];

	(void)err;
	assert_int_equal(again, o->opens > 0);
	assert_int_equal(o->closes, o->opens);
	o->opens++;
	if (born < 0) {
		o->births[MIN(o->opens, (int)ARRAY_SIZE(o->births) - 1)] = -1;
		born = ++o->next_tid;
	}
	if (born)
		put_task(71, born);
	return 0;
}

static void close_for(void *ctx)
{
	struct opening *o = ctx;

	o->closes++;
}

static void told_of(void *ctx, const char *line)
{
	struct opening *o = ctx;

	assert_non_null(strstr(line, "may be missed"));
	o->told++;
}

/* How many tasks are attached to in the end. */
static size_t attach(const struct target_options *opts, struct opening *o)
{
	const struct target_attach how = {.opts = opts,
					  .proc_root = proc,
					  .sys_root = sys,
					  .open = open_for,
					  .close = close_for,
					  .tell = told_of,
					  .ctx = o};
	struct target t = {0};
	size_t n;

	assert_int_equal(target_find(&t, opts, 0, proc, sys, NULL), 0);
	assert_int_equal(target_attach(&t, &how, NULL), 0);
	n = t.tids.n;
	target_release(&t);
	assert_int_equal(o->closes, o->opens - 1);
	return n;
}

static void newborn_tasks_are_attached_to(void **state)
{
	const struct target_options pid = {.pids = "71"}, tid = {.tids = "71"},
				    all = {.system_wide = true};
	struct opening quiet = {0}, one = {.births = {75}}, two = {.births = {76, 77}},
		       always = {.births = {-1}, .next_tid = 80}, by_tid = {.births = {78}},
		       of_all = {.births = {79}};
	size_t found;

	(void)state;
	assert_non_null(mkdtemp(root));
	snprintf(proc, sizeof(proc), "%s/proc", root);
	snprintf(sys, sizeof(sys), "%s/sys", root);
	folder_put(root, "sys/devices/system/cpu/online", "0-1\n");
	folder_put(root, "proc/71/status",
		   "Name:\tx\nTgid:\t71\nPid:\t71\nPPid:\t1\nUid:\t0\t0\t0\t0\n");
	put_task(71, 71);
	put_task(71, 72);
	assert_int_equal(attach(&pid, &quiet), 2);
	assert_int_equal(quiet.opens, 1);
	assert_int_equal(attach(&pid, &one), 3);
	assert_int_equal(one.opens, 2);
	assert_int_equal(attach(&pid, &two), 5);
	assert_int_equal(two.opens, 3);
	assert_int_equal(quiet.told + one.told + two.told, 0);
	/* it has to end some time: the last one is missed, which is said */
	found = attach(&pid, &always);
	assert_int_equal(found, 4 + always.opens);
	assert_in_range(always.opens, 2, 100);
	assert_int_equal(always.told, 1);
	/* threads by their ids, and everybody, have nobody to miss */
	assert_int_equal(attach(&tid, &by_tid), 1);
	assert_int_equal(by_tid.opens, 1);
	assert_int_equal(attach(&all, &of_all), 1);
	assert_int_equal(of_all.opens, 1);
	folder_remove(root);
}

static void a_process_tells_when_it_was_started(void **state)
{
	const long hz = sysconf(_SC_CLK_TCK);
	char dir[] = "/tmp/target-XXXXXX";
	int64_t own = process_start_ns("", getpid());

	(void)state;
	assert_non_null(mkdtemp(dir));
	folder_put(dir, "proc/71/stat",
		   "71 (a) S 1 (b) R 1 71 1 34816 71 4194304 1 2 3 4 5 6 7 8 20 0 1 0 4567 2 3\n");
	folder_put(dir, "proc/72/stat", "72 (cut) R 1 72\n");
	assert_int_equal(process_start_ns(dir, 71), 4567 * (1000000000 / hz));
	assert_int_equal(process_start_ns(dir, 72), -1);
	assert_int_equal(process_start_ns(dir, 73), -1);
	assert_true(own > 0 && own < host_clocks_now().boot);
	folder_remove(dir);
}

struct exchange {
	int opens;
};

/* One ends, and then another is born in its place: as many as before. */
static int open_exchanging(void *ctx, bool again, struct err *err)
{
	struct exchange *x = ctx;
	char gone[96];

	(void)err;
	(void)again;
	snprintf(gone, sizeof(gone), "%s/71/task/%d", proc, 72 + x->opens);
	assert_int_equal(folder_remove(gone), 0);
	if (x->opens++)
		return 0;
	put_task(71, 73);
	return 0;
}

static void close_nothing(void *ctx)
{
	(void)ctx;
}

static void who_takes_anothers_place_is_seen(void **state)
{
	const struct target_options pid = {.pids = "71"};
	struct exchange x = {0};
	const struct target_attach how = {.opts = &pid,
					  .proc_root = proc,
					  .sys_root = sys,
					  .open = open_exchanging,
					  .close = close_nothing,
					  .ctx = &x};
	struct target t = {0};

	(void)state;
	memcpy(root + sizeof(root) - 7, "XXXXXX", 6);
	assert_non_null(mkdtemp(root));
	snprintf(proc, sizeof(proc), "%s/proc", root);
	snprintf(sys, sizeof(sys), "%s/sys", root);
	folder_put(root, "sys/devices/system/cpu/online", "0-1\n");
	put_task(71, 71);
	put_task(71, 72);
	assert_int_equal(target_find(&t, &pid, 0, proc, sys, NULL), 0);
	assert_int_equal(target_attach(&t, &how, NULL), 0);
	/* the second time one ended and nobody was born */
	assert_int_equal(x.opens, 2);
	assert_int_equal(t.tids.n, 2);
	assert_int_equal(t.tids.at[1], 73);
	target_release(&t);
	folder_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(newborn_tasks_are_attached_to),
		cmocka_unit_test(a_process_tells_when_it_was_started),
		cmocka_unit_test(who_takes_anothers_place_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
