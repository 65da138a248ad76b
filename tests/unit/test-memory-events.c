// SPDX-License-Identifier: MIT
/* Which events sample memory accesses on a machine that is a folder of files, and how one command
 * line is split between perf mem and perf record. */
#include "unit.h"

#include "base/options/options.h"
#include "event/memory.h"
#include "folder.h"

#include <unistd.h>

static char root[64];

static int set_up(void **state)
{
	(void)state;
	snprintf(root, sizeof(root), "/tmp/test-memory-events-%d", (int)getpid());
	return mkdir(root, 0700);
}

static int tear_down(void **state)
{
	(void)state;
	return folder_remove(root);
}

struct found {
	struct memory_event events[MEMORY_KINDS];
	struct arena arena;
	int failed;
	struct err err;
};

static void find_by_latency(struct found *f, const char *arch, bool is_amd, unsigned int latency)
{
	const struct memory_machine m = {root, arch, is_amd};

	memset(f, 0, sizeof(*f));
	f->failed = memory_events_find(f->events, &m, latency, &f->arena, &f->err);
}

static void find(struct found *f, const char *arch, bool is_amd)
{
	find_by_latency(f, arch, is_amd, MEMORY_LATENCY_USUAL);
}

static void done(struct found *f)
{
	memory_events_release(f->events);
	arena_release(&f->arena);
}

static void assert_event(const struct found *f, enum memory_kind kind, const char *tag,
			 const char *text)
{
	assert_string_equal(f->events[kind].tag, tag);
	assert_int_equal(f->events[kind].texts.n, 1);
	assert_string_equal(f->events[kind].texts.at[0], text);
}

static void a_machine_without_them_is_told(void **state)
{
	struct found f;

	(void)state;
	find(&f, "x86_64", false);
	assert_int_equal(f.failed, -1);
	assert_string_equal(f.err.text, "failed: memory events not supported");
	assert_string_equal(f.events[MEMORY_LOADS].wanted, "cpu/mem-loads,ldlat=30/P");
	done(&f);
}

static void intel_has_loads_and_stores(void **state)
{
	struct found f;

	(void)state;
	folder_put(root, "cpu/type", "4\n");
	folder_put(root, "cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	folder_put(root, "cpu/events/mem-stores", "event=0xd0,umask=0x82\n");
	find(&f, "x86_64", false);
	assert_int_equal(f.failed, 0);
	assert_event(&f, MEMORY_LOADS, "ldlat-loads", "cpu/mem-loads,ldlat=30/P");
	assert_event(&f, MEMORY_STORES, "ldlat-stores", "cpu/mem-stores/P");
	assert_null(f.events[MEMORY_BOTH].tag);
	done(&f);
	find(&f, "ppc64le", false);
	assert_event(&f, MEMORY_LOADS, "ldlat-loads", "cpu/mem-loads/");
	assert_false(f.events[MEMORY_LOADS].by_latency);
	done(&f);
}

static void an_auxiliary_event_leads_a_group(void **state)
{
	struct found f;

	(void)state;
	folder_put(root, "cpu/events/mem-loads-aux", "event=0x03,umask=0x82\n");
	find(&f, "x86_64", false);
	assert_event(&f, MEMORY_LOADS, "ldlat-loads",
		     "{cpu/mem-loads-aux/,cpu/mem-loads,ldlat=30/}:P");
	done(&f);
}

static void amd_and_arm_sample_by_their_own_pmus(void **state)
{
	struct found f;

	(void)state;
	find(&f, "x86_64", true);
	assert_int_equal(f.failed, -1);
	done(&f);
	folder_put(root, "ibs_op/type", "11\n");
	folder_put(root, "arm_spe_0/type", "12\n");
	find(&f, "x86_64", true);
	assert_event(&f, MEMORY_BOTH, "mem-ldst", "ibs_op//");
	assert_null(f.events[MEMORY_LOADS].tag);
	done(&f);
	find(&f, "aarch64", false);
	assert_event(&f, MEMORY_LOADS, "spe-load",
		     "arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,store_filter=0,"
		     "min_latency=30/");
	assert_event(&f, MEMORY_STORES, "spe-store",
		     "arm_spe_0/ts_enable=1,pa_enable=1,load_filter=0,store_filter=1/");
	assert_event(&f, MEMORY_BOTH, "spe-ldst",
		     "arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,store_filter=1,"
		     "min_latency=30/");
	done(&f);
}

static void amd_filters_by_latency_where_it_can(void **state)
{
	struct found f;

	(void)state;
	find_by_latency(&f, "x86_64", true, 200);
	assert_event(&f, MEMORY_BOTH, "mem-ldst", "ibs_op//");
	assert_false(f.events[MEMORY_BOTH].by_latency);
	done(&f);
	folder_put(root, "ibs_op/caps/ldlat", "1\n");
	find_by_latency(&f, "x86_64", true, 200);
	assert_event(&f, MEMORY_BOTH, "mem-ldst", "ibs_op/ldlat=200/");
	assert_true(f.events[MEMORY_BOTH].by_latency);
	done(&f);
	find(&f, "x86_64", true);
	assert_event(&f, MEMORY_BOTH, "mem-ldst", "ibs_op//");
	done(&f);
	find_by_latency(&f, "x86_64", true, 127);
	assert_int_equal(f.failed, -1);
	assert_string_equal(f.err.text, "bad latency: '127' (this processor filters by 128 to 2048 "
					"cycles)");
	done(&f);
	find_by_latency(&f, "x86_64", true, 2048);
	assert_event(&f, MEMORY_BOTH, "mem-ldst", "ibs_op/ldlat=2048/");
	done(&f);
	find_by_latency(&f, "x86_64", true, 2049);
	assert_int_equal(f.failed, -1);
	done(&f);
	folder_put(root, "ibs_op/caps/ldlat", "0\n");
	find_by_latency(&f, "x86_64", true, 2049);
	assert_event(&f, MEMORY_BOTH, "mem-ldst", "ibs_op//");
	done(&f);
	find_by_latency(&f, "aarch64", false, 7);
	assert_event(&f, MEMORY_LOADS, "spe-load",
		     "arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,store_filter=0,"
		     "min_latency=7/");
	done(&f);
}

/* -- opt_split -- */

static const struct opt own_options[] = {{OPT_STRING, 'e', "event", 0, "event", "which"},
					 {OPT_BOOL, 'U', "all-user", 0, NULL, "u"},
					 {OPT_END}};
static const struct opt other_options[] = {{OPT_STRING, 'e', "event", 0, "event", "which"},
					   {OPT_STRING, 'o', "output", 0, "file", "where"},
					   {OPT_BOOL, 'a', "all-cpus", 0, NULL, "all"},
					   {OPT_UINT, 0, "ev", 0, "n", "full name"},
					   {OPT_END}};

static void split(const char *const *argv, struct buf *mine, struct buf *rest)
{
	static const struct opt_group own[] = {{own_options, 0}, {0}};
	static const struct opt_group other[] = {{other_options, 0}, {0}};
	struct opt_words a = {0}, b = {0};

	opt_split(own, other, (char **)argv, &a, &b);
	for (size_t i = 0; i < a.n; i++)
		buf_printf(mine, "%s ", a.at[i]);
	for (size_t i = 0; i < b.n; i++)
		buf_printf(rest, "%s ", b.at[i]);
	vec_release(&a);
	vec_release(&b);
}

static void assert_split(const char *const *argv, const char *mine, const char *rest)
{
	AUTO_BUF a = {0}, b = {0};

	split(argv, &a, &b);
	assert_string_equal(buf_text(&a), mine);
	assert_string_equal(buf_text(&b), rest);
}

#define WORDS(...) ((const char *[]){__VA_ARGS__, NULL})

static void options_go_to_whom_they_belong(void **state)
{
	(void)state;
	assert_split(WORDS("-o", "-e", "-e", "list", "prog", "-U"), "-e list ", "-o -e prog -U ");
	assert_split(WORDS("--event=x", "--output", "f", "-U", "--", "-e"), "--event=x -U ",
		     "--output f -- -e ");
	assert_split(WORDS("--ev", "3", "--even", "x"), "--even x ", "--ev 3 ");
	assert_split(WORDS("-a", "-h"), "-h ", "-a ");
	assert_split(WORDS("--nobody", "-e"), "-e ", "--nobody ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_without_them_is_told),
		cmocka_unit_test(intel_has_loads_and_stores),
		cmocka_unit_test(an_auxiliary_event_leads_a_group),
		cmocka_unit_test(amd_and_arm_sample_by_their_own_pmus),
		cmocka_unit_test(amd_filters_by_latency_where_it_can),
		cmocka_unit_test(options_go_to_whom_they_belong),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
