// SPDX-License-Identifier: MIT
/* Findings of perf doctor about folders that stand in for /proc and tracefs. */
#include "folder.h"

#include "selftest/doctor/doctor.h"

#include <unistd.h>

static char root[] = "/tmp/test-doctor-XXXXXX", proc[64], tracefs[64];
static struct doctor_roots roots = {proc, proc, tracefs};

static int start(void **state)
{
	(void)state;
	strcpy(root + strlen(root) - 6, "XXXXXX");
	if (!mkdtemp(root))
		return -1;
	snprintf(proc, sizeof(proc), "%s/proc", root);
	snprintf(tracefs, sizeof(tracefs), "%s/tracefs", root);
	folder_put(root, "proc/self/uid_map", "0 0 4294967295\n");
	folder_put(root, "proc/self/status", "CapEff:\t0000000000000000\nSeccomp:\t0\n");
	folder_put(root, "tracefs/current_tracer", "nop\n");
	folder_put(root, "tracefs/set_event", "");
	folder_put(root, "tracefs/kprobe_events", "");
	return 0;
}

static int end(void **state)
{
	(void)state;
	return folder_remove(root);
}

/* The n-th finding of that name; NULL: there are not so many. */
static const struct finding *found(const struct findings *f, const char *name, size_t n)
{
	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->at[i].name, name) && !n--)
			return &f->at[i];
	return NULL;
}

/* A row of settings: what is written where, and the finding that it makes. */
struct setting {
	const char *file, *text, *name, *why, *change;
};

static void check_settings(const struct setting *rows, size_t n, int wanted,
			   void (*look)(struct findings *f, const struct doctor_roots *r))
{
	for (size_t i = 0; i < n; i++) {
		struct findings f = {0};
		const struct finding *x;
		char change[200];

		folder_put(root, rows[i].file, rows[i].text);
		look(&f, &roots);
		x = found(&f, rows[i].name, 0);
		assert_non_null(x);
		assert_int_equal(x->state, wanted);
		assert_string_equal(x->why, rows[i].why);
		snprintf(change, sizeof(change), rows[i].change, tracefs);
		assert_string_equal(x->change, change);
		vec_release(&f);
	}
}

static void settings_that_cost_are_told_with_the_way_back(void **state)
{
	static const struct setting rows[] = {
		{"proc/sys/kernel/sched_schedstats", "1\n", "schedstats",
		 "each switch of tasks is accounted", "sysctl kernel.sched_schedstats=0"},
		{"proc/sys/kernel/task_delayacct", "1\n", "delayacct",
		 "each wait of a task is accounted", "sysctl kernel.task_delayacct=0"},
		{"proc/sys/kernel/bpf_stats_enabled", "1\n", "bpf-stats",
		 "each run of a BPF program is timed", "sysctl kernel.bpf_stats_enabled=0"},
		{"proc/sys/kernel/stack_tracer_enabled", "1\n", "stack-tracer",
		 "each call of a kernel function measures the stack",
		 "sysctl kernel.stack_tracer_enabled=0"},
		{"proc/sys/kernel/perf_cpu_time_max_percent", "100\n", "share",
		 "the kernel does not slow down samples that take all of a CPU's time",
		 "sysctl kernel.perf_cpu_time_max_percent=25"}};

	(void)state;
	check_settings(rows, ARRAY_SIZE(rows), FINDING_COSTS, doctor_costs);
}

static void limits_that_cut_recordings_are_told(void **state)
{
	static const struct setting rows[] = {
		{"proc/sys/kernel/perf_event_max_sample_rate", "3200\n", "rate",
		 "the kernel has lowered its limit to 3200 a second, since samples took it too "
		 "long",
		 "sysctl kernel.perf_event_max_sample_rate=100000"},
		{"proc/sys/kernel/perf_event_max_stack", "16\n", "stack",
		 "up to 16 frames (sysctl kernel.perf_event_max_stack)",
		 "sysctl kernel.perf_event_max_stack=127"}};

	(void)state;
	check_settings(rows, ARRAY_SIZE(rows), FINDING_LIMITS, doctor_limits);
}

static void what_is_left_in_tracefs_is_told(void **state)
{
	struct findings f = {0};

	(void)state;
	folder_put(root, "tracefs/instances/mine/current_tracer", "nop\n");
	folder_put(root, "tracefs/instances/mine/set_event", "");
	doctor_costs(&f, &roots);
	assert_null(found(&f, "kernel-probes", 0));
	assert_null(found(&f, "tracer", 0));
	assert_null(found(&f, "events", 0));
	vec_release(&f);

	const struct setting rows[] = {
		{"tracefs/kprobe_events", "p:probe/vfs_read vfs_read\n", "kernel-probes", NULL,
		 "as root: echo > %s/kprobe_events"},
		{"tracefs/instances/mine/set_event", "sched:sched_switch\n", "events", NULL,
		 "as root: echo > %s/instances/mine/set_event"},
		{"tracefs/current_tracer", "function\n", "tracer", NULL,
		 "as root: echo nop > %s/current_tracer"},
		{"tracefs/function_profile_enabled", "1\n", "function-profile", NULL,
		 "as root: echo 0 > %s/function_profile_enabled"}};
	const char *const whys[] = {"probes are defined in '%s/kprobe_events'",
				    "events go to a trace buffer in "
				    "'%s/instances/mine/set_event'",
				    "the kernel traces functions in '%s/current_tracer'",
				    "each call of a kernel function is counted in "
				    "'%s/function_profile_enabled'"};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct setting row = rows[i];
		char why[200];

		snprintf(why, sizeof(why), whys[i], tracefs);
		row.why = why;
		check_settings(&row, 1, FINDING_COSTS, doctor_costs);
	}
}

static void programs_that_measure_are_told(void **state)
{
	const struct finding *x;
	struct findings f = {0};
	char path[128];

	(void)state;
	folder_put(root, "proc/123/status",
		   "Name:\tperf\nTgid:\t123\nPid:\t123\nPPid:\t1\n"
		   "Uid:\t0\t0\t0\t0\n");
	folder_put(root, "proc/123/fd/none", "");
	for (int fd = 3; fd < 6; fd++) {
		snprintf(path, sizeof(path), "%s/123/fd/%d", proc, fd);
		assert_int_equal(symlink(fd < 5 ? "anon_inode:[perf_event]" : "/dev/null", path),
				 0);
	}
	doctor_costs(&f, &roots);
	x = found(&f, "measuring", 0);
	assert_non_null(x);
	assert_string_equal(x->why, "'perf' (123) has 2 perf events open");
	assert_string_equal(x->change, "kill 123");
	assert_null(found(&f, "measuring", 1));
	vec_release(&f);
}

static void what_tracefs_lacks_has_a_name(void **state)
{
	const struct finding *x;
	struct findings f = {0};

	(void)state;
	doctor_kernel(&f, &roots);
	assert_int_equal(found(&f, "kprobes", 0)->state, FINDING_WORKS);
	x = found(&f, "uprobes", 0);
	assert_int_equal(x->state, FINDING_LACKS);
	assert_string_equal(x->why, "the kernel was built without CONFIG_UPROBE_EVENTS");
	assert_string_equal(x->change, "");
	x = found(&f, "ftrace", 0);
	assert_int_equal(x->state, FINDING_LACKS);
	assert_string_equal(x->why, "the kernel was built without CONFIG_FUNCTION_GRAPH_TRACER");
	vec_clear(&f);
	folder_put(root, "tracefs/uprobe_events", "");
	folder_put(root, "tracefs/available_tracers", "blk function_graph function nop\n");
	doctor_kernel(&f, &roots);
	assert_int_equal(found(&f, "uprobes", 0)->state, FINDING_WORKS);
	assert_int_equal(found(&f, "ftrace", 0)->state, FINDING_WORKS);
	vec_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(settings_that_cost_are_told_with_the_way_back,
						start, end),
		cmocka_unit_test_setup_teardown(limits_that_cut_recordings_are_told, start, end),
		cmocka_unit_test_setup_teardown(what_is_left_in_tracefs_is_told, start, end),
		cmocka_unit_test_setup_teardown(programs_that_measure_are_told, start, end),
		cmocka_unit_test_setup_teardown(what_tracefs_lacks_has_a_name, start, end)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
