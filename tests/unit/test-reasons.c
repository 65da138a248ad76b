// SPDX-License-Identifier: MIT
/* Reasons that are told of what cannot be seen. */
#include "folder.h"

#include "capture/open/target.h"
#include "os/proc/proc.h"
#include "os/rights/rights.h"

static char root[] = "/tmp/test-reasons-XXXXXX";
static char proc[64], sys[64];

static void put(const char *name, const char *text)
{
	folder_put(root, name, text);
}

static void expect_unseen(const char *why)
{
	char text[128];
	AUTO_CHAR *want = mem_printf(why, proc);

	rights_kernel_unseen(proc, text, sizeof(text));
	assert_string_equal(text, want);
}

static void a_missing_proc_is_no_secret_of_the_kernel(void **state)
{
	const struct target_options opts = {.pids = "1"};
	struct target t = {0};
	struct err e = {0};

	(void)state;
	put("sys/devices/system/cpu/online", "0\n");
	assert_false(proc_mounted(proc));
	expect_unseen("unknown (there is no %s here)");
	assert_int_equal(target_find(&t, &opts, 0, proc, sys, &e), -1);
	assert_non_null(strstr(e.text, "process 1 cannot be looked up: there is no "));
	put("proc/self/status", "Name:\tx\n");
	assert_true(proc_mounted(proc));
	expect_unseen("unknown (%s/kallsyms is not there)");
	assert_int_equal(target_find(&t, &opts, 0, proc, sys, &e), -1);
	assert_string_equal(e.text, "there is no process 1");
}

static void kptr_restrict_decides_who_sees_the_kernel(void **state)
{
	(void)state;
	put("proc/kallsyms", "0000000000000000 T _stext\n");
	put("proc/sys/kernel/kptr_restrict", "1\n");
	expect_unseen("hidden (kptr_restrict is 1; CAP_SYSLOG would see them)");
	put("proc/sys/kernel/kptr_restrict", "2\n");
	expect_unseen("hidden (kptr_restrict is 2, which hides them from everybody)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_missing_proc_is_no_secret_of_the_kernel),
		cmocka_unit_test(kptr_restrict_decides_who_sees_the_kernel),
	};
	int failed;

	if (!mkdtemp(root))
		return 1;
	snprintf(proc, sizeof(proc), "%s/proc", root);
	snprintf(sys, sizeof(sys), "%s/sys", root);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	folder_remove(root);
	return failed;
}
