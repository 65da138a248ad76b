// SPDX-License-Identifier: MIT
/* The paths of descriptors, by calls made here and by a folder that stands for /proc. */
#include "made_calls.h"

#include "analysis/calls/fds.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define PID 7

static char root[] = "/tmp/test-call-fds.XXXXXX";

/* ROOT/7/fd/FD leads to path; NULL: it is not open. */
static void descriptor(int fd, const char *path, const char *flags)
{
	char name[128];
	FILE *info;

	snprintf(name, sizeof(name), "%s/%d/fd/%d", root, PID, fd);
	unlink(name);
	if (path)
		assert_int_equal(symlink(path, name), 0);
	snprintf(name, sizeof(name), "%s/%d/fdinfo/%d", root, PID, fd);
	info = fopen(name, "w");
	assert_non_null(info);
	fprintf(info, "pos:\t0\nflags:\t%s\nmnt_id:\t15\n", flags);
	fclose(info);
}

static void called(struct call_fds *f, const char *name, uint64_t a, uint64_t b, uint64_t c,
		   int64_t result)
{
	struct made m;

	make(&m, name, (const uint64_t[6]){a, b, c}, result);
	call_fds_add(f, &m.call);
}

static int begin(void **state)
{
	static const char *const folders[] = {"/7", "/7/fd", "/7/fdinfo"};

	(void)state;
	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		char name[128];

		snprintf(name, sizeof(name), "%s%s", root, folders[i]);
		assert_int_equal(mkdir(name, 0777), 0);
	}
	return 0;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

/* What exec closes is told by /proc, and may be something else afterwards. */
static void exec_closes_what_proc_says(void **state)
{
	struct call_fds f = {.proc_root = root};

	(void)state;
	descriptor(3, "/kept", "0100002");
	descriptor(4, "/closed", "02100002");
	call_fds_look_all(&f);
	descriptor(3, "/new3", "0100002");
	descriptor(4, "pipe:[4]", "0");
	assert_string_equal(call_fds_path(&f, PID, 3), "/kept");
	assert_string_equal(call_fds_path(&f, PID, 4), "/closed");
	called(&f, "execve", 0, 0, 0, 0);
	assert_string_equal(call_fds_path(&f, PID, 3), "/kept");
	assert_string_equal(call_fds_path(&f, PID, 4), "pipe:[4]");
	call_fds_release(&f);
}

/* Descriptors can be made to be closed by exec, or not to be, after they were opened. */
static void exec_closes_what_was_marked(void **state)
{
	struct call_fds f = {.proc_root = root};

	(void)state;
	for (int fd = 3; fd < 7; fd++)
		descriptor(fd, "/before", fd == 3 ? "02000000" : "0");
	call_fds_look(&f, PID);
	called(&f, "fcntl", 3, 2, 0, 0); /* F_SETFD */
	called(&f, "fcntl", 4, 2, 1, 0);
	called(&f, "close_range", 5, 5, 4, 0); /* CLOSE_RANGE_CLOEXEC */
	called(&f, "fcntl", 900, 2, 1, 0);     /* not known */
	for (int fd = 3; fd < 7; fd++)
		descriptor(fd, "/after", "0");
	called(&f, "execve", 0, 0, 0, 0);
	assert_string_equal(call_fds_path(&f, PID, 3), "/before");
	assert_string_equal(call_fds_path(&f, PID, 4), "/after");
	assert_string_equal(call_fds_path(&f, PID, 5), "/after");
	assert_string_equal(call_fds_path(&f, PID, 6), "/before");
	call_fds_release(&f);
}

/* After lost calls nothing that was known before counts. */
static void lost_calls_leave_nothing_known(void **state)
{
	struct call_fds f = {.proc_root = root};

	(void)state;
	descriptor(3, "/before", "0");
	call_fds_look(&f, PID);
	descriptor(3, "/after", "0");
	assert_string_equal(call_fds_path(&f, PID, 3), "/before");
	call_fds_forget(&f);
	assert_string_equal(call_fds_path(&f, PID, 3), "/after");
	descriptor(3, NULL, "0");
	call_fds_forget(&f);
	assert_null(call_fds_path(&f, PID, 3));
	call_fds_release(&f);
}

/* What is kept of processes does not grow with those that have ended. */
static void ended_processes_are_forgotten(void **state)
{
	struct call_fds f = {.proc_root = root};

	(void)state;
	descriptor(3, "/kept", "0");
	call_fds_look(&f, PID);
	for (uint32_t pid = 100; pid < 5100; pid++) {
		struct made m;

		call_fds_fork(&f, pid, PID);
		assert_string_equal(call_fds_path(&f, pid, 3), "/kept");
		make(&m, "exit_group", ARGS(0), 0);
		m.call.pid = pid;
		m.call.returned = false;
		call_fds_add(&f, &m.call);
	}
	assert_int_equal(f.processes.n, 2);
	assert_string_equal(call_fds_path(&f, PID, 3), "/kept");
	assert_null(call_fds_path(&f, 100, 3));
	/* killed: only /proc tells */
	for (uint32_t pid = 6000; pid < 12000; pid++)
		call_fds_fork(&f, pid, PID);
	assert_in_range(f.processes.n, 3, 1026);
	assert_string_equal(call_fds_path(&f, PID, 3), "/kept");
	call_fds_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exec_closes_what_proc_says),
		cmocka_unit_test(exec_closes_what_was_marked),
		cmocka_unit_test(lost_calls_leave_nothing_known),
		cmocka_unit_test(ended_processes_are_forgotten),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
