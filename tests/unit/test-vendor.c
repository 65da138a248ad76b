// SPDX-License-Identifier: MIT
/* What vendors' files say of events and metrics. */
#include "answer.h"
#include "folder.h"

#include "base/buf.h"
#include "event/parse.h"
#include "event/vendor/vendor.h"
#include "os/machine/host.h"

static char root[] = "/tmp/test-vendor-XXXXXX";

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	folder_put(root, "pmu/cpu/type", "4\n");
	folder_put(root, "pmu/cpu/format/event", "config:0-7\n");
	folder_put(root, "pmu/cpu/format/umask", "config:8-15\n");
	folder_put(root, "pmu/cpu/format/cmask", "config:24-31\n");
	folder_put(root, "pmu/cpu/format/inv", "config:23\n");
	folder_put(root, "pmu/cpu/format/edge", "config:18\n");
	folder_put(root, "pmu/cpu/format/any", "config:21\n");
	folder_put(root, "pmu/cpu/format/ldlat", "config1:0-15\n");
	folder_put(root, "pmu/cpu/format/offcore_rsp", "config1:0-63\n");
	folder_put(root, "pmu/cpu/events/toy_cache.busy", "event=0x1\n");
	for (char i = '0'; i < '2'; i++) {
		char name[64];

		snprintf(name, sizeof(name), "pmu/uncore_imc_%c/type", i);
		folder_put(root, name, i == '0' ? "20\n" : "21\n");
		snprintf(name, sizeof(name), "pmu/uncore_imc_%c/cpumask", i);
		folder_put(root, name, "0\n");
		snprintf(name, sizeof(name), "pmu/uncore_imc_%c/format/event", i);
		folder_put(root, name, "config:0-7\n");
		snprintf(name, sizeof(name), "pmu/uncore_imc_%c/format/umask", i);
		folder_put(root, name, "config:8-15\n");
	}
	folder_put(root, "hybrid/cpu_core/type", "4\n");
	folder_put(root, "hybrid/cpu_core/cpus", "0-3\n");
	folder_put(root, "hybrid/cpu_core/format/event", "config:0-7\n");
	folder_put(root, "hybrid/cpu_core/format/umask", "config:8-15\n");
	folder_put(root, "hybrid/cpu_atom/type", "10\n");
	folder_put(root, "hybrid/cpu_atom/cpus", "4-7\n");
	folder_put(root, "hybrid/cpu_atom/format/event", "config:0-7\n");
	folder_put(root, "bad/cut.json", "[{\"EventName\": \"a\", \"EventCode\":");
	folder_put(root, "odd/a.json",
		   "[[], 1, {\"EventName\": 5, \"EventCode\": 6}, {\"EventName\": \"x\", "
		   "\"EventCode\": "
		   "9223372036854775807, \"UMask\": \"0xfffffffffffffffffffff\"}]");
	folder_put(root, "controls/a.json",
		   "[{\"EventName\": \"a\\nb\", \"EventCode\": 1}, {\"EventName\": \"x\", "
		   "\"EventCode\": 1, "
		   "\"BriefDescription\": \"red \\u001b[31m\\nline\"}]");
	folder_put(root, "empty/readme", "nothing\n");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	return folder_remove(root);
}

static void load(struct vendor *v, const char *dir, const char *cpuid)
{
	char path[512];
	struct err err = {0};

	snprintf(path, sizeof(path), "%s/%s", VENDOR_DATA, dir);
	if (vendor_load(v, path, cpuid, &err))
		fail_msg("%s: %s", cpuid, err.text);
}

static void check_events(const char *dir, const char *cpuid, const char *want)
{
	struct vendor v = {0};
	struct buf b = {0};

	load(&v, dir, cpuid);
	for (size_t i = 0; i < v.events.n; i++) {
		const struct vendor_event *e = &v.events.at[i];

		buf_printf(&b, "%s %s %s", e->name, e->pmu ? e->pmu : "-", e->terms);
		if (e->unit)
			buf_printf(&b, " %g%s", e->scale, e->unit);
		buf_printf(&b, "%s%s [%s] %s%s%s\n", e->per_package ? " per-pkg" : "",
			   e->deprecated ? " deprecated" : "", e->topic, e->desc ? e->desc : "-",
			   e->long_desc ? " / " : "", e->long_desc ? e->long_desc : "");
	}
	assert_string_equal(buf_text(&b), want);
	buf_release(&b);
	vendor_release(&v);
}

static void intels_rows_become_terms(void **state)
{
	(void)state;
	check_events(
		"perfmon", "TestVendor-6-10-3",
		"cpu_clk_unhalted.thread - event=0x3c,period=2000003 [core] Cycles in which the "
		"thread "
		"ran\n"
		"inst_retired.any - event=0xc0,period=2000003 [core] Instructions that were done\n"
		"toy_cache.busy - "
		"event=0x48,any=0x1,cmask=0x1,edge=0x1,inv=0x1,period=2000003,umask=0x2 "
		"[core] Cycles with a full queue\n"
		"toy_cache.fills - event=0x51,period=100003,umask=0x1 [core] Lines that came into "
		"the "
		"toy cache / Counts each line that came into the toy cache, whether somebody asked "
		"for "
		"it or it was fetched on suspicion of being wanted soon\n"
		"toy_cache.old - event=0x52,umask=0x1 deprecated [core] Nobody should use this any "
		"more\n"
		"toy_front.miss - event=0xc6,period=100007,umask=0x1,frontend=0x11 [core] "
		"Instructions "
		"that came late\n"
		"toy_loads.all - event=0xd0,period=2000003,umask=0x81 [core] All loads Supports "
		"address "
		"when precise (Precise event)\n"
		"toy_loads.slower_than_4 - event=0xcd,period=100003,umask=0x1,ldlat=0x4 [core] "
		"Loads that "
		"took more than four cycles Supports address when precise. Spec update: TST001, "
		"TST002 "
		"(Must be precise)\n"
		"toy_offcore.reads - event=0xb7,period=100003,umask=0x1,offcore_rsp=0x3f80400001 "
		"[core] "
		"Reads that left the core\n"
		"unc_cha_toy_inserts uncore_cha event=0x35,ch_mask=0x4,fc_mask=0x7,umask=0xc00121,"
		"config1=0x40433 [uncore] Entries of a table\n"
		"unc_m_toy_reads uncore_imc event=0x4,umask=0x3 64Bytes per-pkg [uncore] Reads "
		"from "
		"memory\n"
		"unc_q_toy_flits uncore_qpi event=0x102,match_opc=0x182 [uncore] Flits on their "
		"way\n");
}

static void rows_belong_to_kinds_of_cores(void **state)
{
	(void)state;
	check_events(
		"perfmon", "TestVendor-6-24-1",
		"toy.cycles cpu_atom event=0x3c [hybridcore] Cycles of the small ones\n"
		"toy.cycles cpu_core event=0x3d,umask=0x1 [hybridcore] Cycles of the large ones\n"
		"toy.large_only cpu_core event=0x3e,umask=0x1 [hybridcore] What the large ones "
		"alone "
		"have\n");
}

static void the_kernels_files_are_read_too(void **state)
{
	(void)state;
	check_events(
		"kernel", "TestVendor-25-21-0",
		"toy_config - config=0x10008 [floating point] A whole configuration\n"
		"toy_flops - event=0x3,umask=0xf [floating point] Sums and products\n"
		"toy_l3 amd_l3 event=0x4,umask=0xff,enallcores=0x1,sliceid=0x3 [floating point] "
		"Looks into the third cache\n");
	check_events(
		"kernel", "0x00000000410fd4f0",
		"cpu_cycles - event=0x11 [core] Cycles of this one\n"
		"inst_retired - event=0x8 [core] Instructions that were done / Instructions that "
		"were done, whether they did something or not\n");
	check_events("plain", "any",
		     "toy_mine - event=0x77,umask=0x1 [own things] An event of one's own\n");
}

static void check_metrics(const char *dir, const char *cpuid, const char *want)
{
	struct vendor v = {0};
	struct buf b = {0};

	load(&v, dir, cpuid);
	for (size_t i = 0; i < v.metrics.n; i++) {
		const struct vendor_metric *m = &v.metrics.at[i];

		buf_printf(&b, "%s = %s", m->name, m->expr);
		if (m->scale_unit)
			buf_printf(&b, " in %s", m->scale_unit);
		if (m->threshold)
			buf_printf(&b, " when %s", m->threshold);
		buf_printf(&b, " [%s] %s\n", m->groups, m->desc ? m->desc : "-");
	}
	for (size_t i = 0; i < v.groups.n; i++)
		buf_printf(&b, "%s: %s\n", v.groups.at[i].name, v.groups.at[i].desc);
	assert_string_equal(buf_text(&b), want);
	buf_release(&b);
	vendor_release(&v);
}

static void formulas_become_expressions(void **state)
{
	(void)state;
	check_metrics(
		"perfmon", "TestVendor-6-10-3",
		"toy_busy = 100 * min( cpu@TOY_CACHE.BUSY\\,cmask\\=1\\,edge\\=1@ , "
		"cha@UNC_CHA_TOY_INSERTS\\,config1\\=0x40432@ ) / ( INST_RETIRED.ANY:k if #smt_on "
		"else ( (#num_cores / #num_packages) * 20 ) ) / duration_time in 1% [Toy;Toy_L1] "
		"How busy it is\n"
		"toy_cpi = CPU_CLK_UNHALTED.THREAD / INST_RETIRED.ANY in 1per instr when toy_cpi > "
		"1e0 & (toy_busy > 20 | toy_cpi < 0.5) [CPI;Toy] Cycles an instruction takes\n");
	/* perf's own form is preferred where it lies beside */
	check_metrics(
		"perfmon", "TestVendor-6-24-1",
		"toy_of_expr = cpu_core@TOY.CYCLES@ / 2 in 100% when toy_of_expr > 0.5 [Toy] Half "
		"of it\n");
	check_metrics("perfmon", "TestVendor-6-25-1",
		      "toy_top = 100 * cpu_core@topdown\\-fe\\-bound@ / cpu_core@slots@ + "
		      "cpu_core@TOY.CYCLES@ / UNC_ARB_TOY in 1% [] -\n");
	check_metrics("kernel", "TestVendor-25-2-0",
		      "toy_flops_per_cycle = toy_flops / cycles in 1flops [Flops] -\n"
		      "toy_sums % = toy_flops / 2 [] Sums and products.\n"
		      "Flops: Metrics of sums and products\n");
}

static void names_are_found_in_any_case(void **state)
{
	const struct vendor_event *e;
	struct vendor v = {0};

	(void)state;
	load(&v, "perfmon", "TestVendor-6-22-1");
	assert_int_equal(vendor_find(&v, "Toy.CYCLES", &e), 2);
	assert_string_equal(e[0].pmu, "cpu_atom");
	assert_string_equal(e[1].pmu, "cpu_core");
	assert_int_equal(vendor_find(&v, "toy.cycle", &e), 0);
	assert_int_equal(vendor_find(&v, "toy.cycles2", &e), 0);
	assert_int_equal(vendor_find(&v, "zzz", &e), 0);
	assert_int_equal(vendor_find(&v, "", &e), 0);
	vendor_release(&v);
	assert_int_equal(vendor_find(&v, "toy.cycles", &e), 0);
}

static void check_refused(const char *dir, const char *cpuid, const char *part)
{
	struct vendor v = {0};
	struct err err = {0};

	assert_int_equal(vendor_load(&v, dir, cpuid, &err), -1);
	if (!strstr(err.text, part))
		fail_msg("'%s' lacks '%s'", err.text, part);
	vendor_release(&v);
}

static void what_cannot_be_read_is_said(void **state)
{
	struct vendor v = {0};
	struct err err = {0};
	char path[128];

	(void)state;
	check_refused("/nowhere", "x", "there is no directory '/nowhere'");
	check_refused(VENDOR_DATA "/perfmon", "TestVendor-6-11-1",
		      "has no line for the CPU 'TestVendor-6-11-1'");
	check_refused(VENDOR_DATA "/perfmon", "TestVendor-6-30-2", "has no line");
	check_refused(VENDOR_DATA "/perfmon", "TestVendor-6-40-0", "cannot read");
	check_refused(VENDOR_DATA "/perfmon", "TestVendor-6-41-0", "has no line");
	check_refused(VENDOR_DATA "/kernel", "Other-1-1-1", "has no line");
	snprintf(path, sizeof(path), "%s/bad", root);
	check_refused(path, "x", "bad/cut.json' line 1: ");
	snprintf(path, sizeof(path), "%s/empty", root);
	check_refused(path, "x", "neither a mapfile.csv nor JSON files");
	snprintf(path, sizeof(path), "%s/odd", root);
	assert_int_equal(vendor_load(&v, path, "x", &err), 0);
	assert_int_equal(v.events.n, 2);
	vendor_release(&v);
	/* nothing that a terminal would obey gets through */
	v = (struct vendor){0};
	snprintf(path, sizeof(path), "%s/controls", root);
	assert_int_equal(vendor_load(&v, path, "x", &err), 0);
	assert_int_equal(v.events.n, 1);
	assert_string_equal(v.events.at[0].desc, "red  [31m\nline");
	vendor_release(&v);
}

static const struct {
	const char *text, *becomes; /* "!part of the message" */
} rows[] = {
	{"toy_cache.fills", "toy_cache.fills cpu 4:151,0 period=100003\n"},
	{"TOY_Cache.Fills:u", "TOY_Cache.Fills:u cpu 4:151,0 period=100003\n"},
	{"cpu/toy_cache.fills/", "cpu/toy_cache.fills/ cpu 4:151,0 period=100003\n"},
	{"cpu/toy_cache.fills,period=7,name=x/", "x cpu 4:151,0 period=7\n"},
	{"inst_retired.any", "inst_retired.any cpu 4:c0,0 period=2000003\n"},
	{"toy_loads.slower_than_4", "toy_loads.slower_than_4 cpu 4:1cd,4 period=100003\n"},
	{"toy_offcore.reads", "toy_offcore.reads cpu 4:1b7,3f80400001 period=100003\n"},
	/* sysfs knows better */
	{"toy_cache.busy", "toy_cache.busy cpu 4:1,0 period=0\n"},
	{"unc_m_toy_reads", "unc_m_toy_reads uncore_imc_0 20:304,0 period=0 64Bytes\n"
			    "unc_m_toy_reads uncore_imc_1 21:304,0 period=0 64Bytes\n"},
	{"{toy_cache.fills,cycles}", "toy_cache.fills cpu 4:151,0 period=100003\n"
				     "cycles - 0:0,0 period=0\n"},
	{"unc_cha_toy_inserts",
	 "!'unc_cha_toy_inserts' is an event of PMU 'uncore_cha', which this "
	 "machine doesn't show"},
	{"toy_front.miss", "!no term or event 'frontend'"},
	{"toy_cache.fill", "!no event is called 'toy_cache.fill'; did you mean 'toy_cache.fills'?"},
	{"uncore_imc/toy_cache.fills/", "!no term or event 'toy_cache.fills'"},
};

static void the_vendors_names_are_events(void **state)
{
	char pmu_root[80];
	struct vendor v = {0};
	struct event_host host = {.pmu_root = pmu_root, .vendor = &v};
	int bad = 0;

	(void)state;
	snprintf(pmu_root, sizeof(pmu_root), "%s/pmu", root);
	load(&v, "perfmon", "TestVendor-6-10-3");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *want = rows[i].becomes;
		struct event_set set = {0};
		struct err err = {0};
		struct buf b = {0};
		int got = event_parse(&set, rows[i].text, &host, &err);

		for (size_t j = 0; j < set.events.n; j++) {
			const struct event *ev = set.events.at[j];

			buf_printf(&b, "%s %s %u:%llx,%llx period=%llu", ev->name,
				   ev->pmu ? ev->pmu : "-", ev->attr.type,
				   (unsigned long long)ev->attr.config,
				   (unsigned long long)ev->attr.config1,
				   (unsigned long long)ev->attr.sample_period);
			if (*ev->unit)
				buf_printf(&b, " %g%s", ev->scale, ev->unit);
			buf_char(&b, '\n');
		}
		bad += answer_differs(rows[i].text, got, &b, &err, want);
		buf_release(&b);
		event_set_release(&set);
	}
	assert_int_equal(bad, 0);
	vendor_release(&v);
}

static void kinds_of_cores_have_their_own(void **state)
{
	char pmu_root[80];
	struct vendor v = {0};
	struct event_host host = {.pmu_root = pmu_root, .vendor = &v};
	struct event_set set = {0};

	(void)state;
	snprintf(pmu_root, sizeof(pmu_root), "%s/hybrid", root);
	load(&v, "perfmon", "TestVendor-6-24-1");
	assert_int_equal(event_parse(&set, "toy.cycles,toy.large_only", &host, NULL), 0);
	assert_int_equal(set.events.n, 3);
	assert_string_equal(set.events.at[0]->pmu, "cpu_core");
	assert_int_equal(set.events.at[0]->attr.config, 0x13d);
	assert_string_equal(set.events.at[1]->pmu, "cpu_atom");
	assert_int_equal(set.events.at[1]->attr.config, 0x3c);
	assert_string_equal(set.events.at[2]->pmu, "cpu_core");
	event_set_release(&set);
	vendor_release(&v);
}

static void the_cpu_has_a_name(void **state)
{
	struct arena arena = {0};

	(void)state;
	setenv("PERF_CPUID", "TestVendor-6-10-3", 1);
	assert_string_equal(host_cpuid_of_lists("/nowhere", &arena), "TestVendor-6-10-3");
	unsetenv("PERF_CPUID");
#ifndef __x86_64__
	folder_put(root, "sys/devices/system/cpu/cpu0/regs/identification/midr_el1",
		   "0x00000000412fd4f1\n");
	char path[64];

	snprintf(path, sizeof(path), "%s/sys", root);
	assert_string_equal(host_cpuid_of_lists(path, &arena), "0x00000000410fd4f0");
#else
	/* VENDOR-FAMILY-MODEL-STEPPING */
	assert_string_not_equal(host_cpuid_of_lists("/nowhere", &arena), "");
	assert_null(strchr(host_cpuid_of_lists("/nowhere", &arena), ','));
#endif
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intels_rows_become_terms),
		cmocka_unit_test(rows_belong_to_kinds_of_cores),
		cmocka_unit_test(the_kernels_files_are_read_too),
		cmocka_unit_test(formulas_become_expressions),
		cmocka_unit_test(names_are_found_in_any_case),
		cmocka_unit_test(what_cannot_be_read_is_said),
		cmocka_unit_test(the_vendors_names_are_events),
		cmocka_unit_test(kinds_of_cores_have_their_own),
		cmocka_unit_test(the_cpu_has_a_name),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
