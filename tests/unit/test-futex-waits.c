// SPDX-License-Identifier: MIT
/* Threads that wait for locks and for each other, from a folder that stands for /proc. */
#include "folder.h"

#include "os/proc/futex_waits.h"

#include <sys/syscall.h>

static void put_thread(const char *root, int tid, const char *name, const char *arguments)
{
	char path[64], line[256];

	snprintf(path, sizeof(path), "10/task/%d/comm", tid);
	snprintf(line, sizeof(line), "%s\n", name);
	folder_put(root, path, line);
	snprintf(path, sizeof(path), "10/task/%d/syscall", tid);
	if (*arguments == '0')
		snprintf(line, sizeof(line), "%ld %s 0x0 0x0 0x0 0x7ffc 0x7f00\n", (long)SYS_futex,
			 arguments);
	else
		snprintf(line, sizeof(line), "%s\n", arguments);
	folder_put(root, path, line);
}

static void threads_that_wait_are_found(void **state)
{
	char root[] = "/tmp/test-futex-XXXXXX";
	struct futex_waits w;
	struct err err = {0};

	(void)state;
	assert_non_null(mkdtemp(root));
	put_thread(root, 10, "main", "0x7f00 0x109 0xc"); /* waits for the end of 12 */
	put_thread(root, 11, "runs", "running");
	put_thread(root, 12, "worker", "0x5500 0x80 0x2"); /* a mutex, whose owner is unknown */
	put_thread(root, 13, "cond", "0x5600 0x189 0x0");
	put_thread(root, 14, "waker", "0x5500 0x81 0x1"); /* FUTEX_WAKE waits for nothing */
	put_thread(root, 15, "reads", "0 0x3 0x7f 0x1");
	put_thread(root, 16, "odd", "0x5700 0x80 0x63"); /* 99 is no thread of the process */
	assert_int_equal(futex_waits_read(&w, root, 10, &err), 0);
	assert_int_equal(w.threads, 7);
	assert_int_equal(w.waits.n, 4);
	assert_int_equal(w.waits.at[0].what, FUTEX_WAITS_THREAD);
	assert_int_equal(w.waits.at[0].owner, 12);
	assert_string_equal(w.waits.at[1].comm, "worker");
	assert_int_equal(w.waits.at[1].what, FUTEX_WAITS_MUTEX);
	assert_int_equal(w.waits.at[1].address, 0x5500);
	assert_int_equal(w.waits.at[1].owner, 0);
	assert_int_equal(w.waits.at[2].what, FUTEX_WAITS_OTHER);
	assert_int_equal(w.waits.at[3].owner, 0);
	futex_waits_release(&w);
	assert_int_equal(futex_waits_read(&w, root, 77, &err), -1);
	assert_string_equal(err.text, "there is no process 77");
	futex_waits_release(&w);
	assert_int_equal(folder_remove(root), 0);
}

/* Pairs of a thread and the one it waits for; circles as "TID TID; ". */
static void circles_are(const int pairs[][2], size_t n, const char *want)
{
	struct futex_waits w = {0};
	struct futex_cycle cycle = {0};
	char text[128] = "";

	for (size_t i = 0; i < n; i++)
		vec_add(&w.waits, (struct futex_wait){.tid = pairs[i][0], .owner = pairs[i][1]});
	for (size_t next = futex_waits_cycle(&w, 0, &cycle); cycle.n;
	     next = futex_waits_cycle(&w, next, &cycle)) {
		for (size_t i = 0; i < cycle.n; i++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%d ",
				 w.waits.at[cycle.at[i]].tid);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "; ");
		vec_clear(&cycle);
	}
	assert_string_equal(text, want);
	vec_release(&cycle);
	futex_waits_release(&w);
}

static void circles_are_told_once(void **state)
{
	static const int none[][2] = {{1, 2}, {2, 3}, {4, 0}};
	static const int two[][2] = {{1, 3}, {2, 4}, {3, 1}, {4, 5}, {5, 2}, {6, 2}, {7, 6}};
	static const int late[][2] = {{1, 2}, {2, 3}, {3, 2}};

	(void)state;
	circles_are(none, 3, "");
	circles_are(two, 7, "1 3 ; 2 4 5 ; ");
	circles_are(late, 3, "2 3 ; ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_that_wait_are_found),
		cmocka_unit_test(circles_are_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
