// SPDX-License-Identifier: MIT
/* The list of a made-up machine, as text, names and JSON. Texts are as perf 6.1 prints those of
 * such events (its own tables hold others). */
#include "folder.h"

#include "event/listing/listing.h"
#include "event/vendor/vendor.h"
#include "view/list/list.h"

static char root[] = "/tmp/test-listing-XXXXXX";
static char pmu_root[64], hwmon_root[64];
static struct vendor vendor;

static int set_up(void **state)
{
	struct err err = {0};

	(void)state;
	if (!mkdtemp(root) ||
	    vendor_load(&vendor, VENDOR_DATA "/perfmon", "TestVendor-6-10-1", &err))
		return -1;
	folder_put(root, "pmu/cpu/type", "4\n");
	folder_put(root, "pmu/cpu/events/cpu-cycles", "event=0x3c\n");
	folder_put(root, "pmu/cpu/events/mem-loads", "event=0xcd,ldlat=?\n");
	folder_put(root, "pmu/uncore_imc_0/type", "20\n");
	folder_put(root, "pmu/uncore_imc_0/events/reads", "event=0x4\n");
	folder_put(root, "pmu/uncore_imc_0/events/reads.scale", "0.5\n");
	folder_put(root, "pmu/uncore_imc_0/events/reads.unit", "MiB\n");
	folder_put(root, "pmu/uncore_imc_1/type", "21\n");
	folder_put(root, "hwmon/hwmon0/name", "coretemp\n");
	folder_put(root, "hwmon/hwmon0/temp1_input", "61000\n");
	folder_put(root, "hwmon/hwmon0/temp1_label", "Package id 0\n");
	folder_put(root, "hwmon/hwmon0/temp1_crit", "100000\n");
	folder_put(root, "hwmon/hwmon0/fan1_input", "0\n");
	snprintf(pmu_root, sizeof(pmu_root), "%s/pmu", root);
	snprintf(hwmon_root, sizeof(hwmon_root), "%s/hwmon", root);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	vendor_release(&vendor);
	return folder_remove(root);
}

static void check(unsigned int kinds, const char *pattern, const struct list_view *view,
		  bool deprecated, const char *unit, const char *want)
{
	const struct event_host host = {
		.pmu_root = pmu_root, .hwmon_root = hwmon_root, .vendor = &vendor};
	struct listing l = {.at_length = view && view->long_desc, .deprecated = deprecated};
	struct buf b = {0};

	listing_add(&l, &host, kinds, NULL, pattern);
	if (unit)
		listing_only_pmu(&l, unit);
	if (view)
		list_show(&l, view, &b);
	else
		list_show_names(&l, &b);
	assert_string_equal(buf_text(&b), want);
	buf_release(&b);
	listing_release(&l);
}

static void descriptions_stand_under_their_topics(void **state)
{
	const struct list_view view = {.desc = true, .width = 79},
			       paged = {.desc = true, .width = 40, .paged = true};

	(void)state;
	check(LIST_PMU | LIST_SENSOR, NULL, &view, false, NULL,
	      "  cpu-cycles OR cpu/cpu-cycles/                      [Kernel PMU event]\n"
	      "  mem-loads OR cpu/mem-loads/                        [Kernel PMU event]\n"
	      "  uncore_imc_0/reads/                                [Kernel PMU event]\n"
	      "\ncore:\n"
	      "  cpu_clk_unhalted.thread                           \n"
	      "       [Cycles in which the thread ran]\n"
	      "  inst_retired.any                                  \n"
	      "       [Instructions that were done]\n"
	      "  toy_cache.busy                                    \n"
	      "       [Cycles with a full queue]\n"
	      "  toy_cache.fills                                   \n"
	      "       [Lines that came into the toy cache]\n"
	      "  toy_front.miss                                    \n"
	      "       [Instructions that came late]\n"
	      "  toy_loads.all                                     \n"
	      "       [All loads Supports address when precise (Precise event)]\n"
	      "  toy_loads.slower_than_4                           \n"
	      "       [Loads that took more than four cycles Supports address when precise.\n"
	      "        Spec update: TST001, TST002 (Must be precise)]\n"
	      "  toy_offcore.reads                                 \n"
	      "       [Reads that left the core]\n"
	      "\nhwmon:\n"
	      "  fan1                                              \n"
	      "       [Fan speed of coretemp, fan1. Unit: hwmon_coretemp]\n"
	      "  temp_package_id_0 OR temp1                        \n"
	      "       [Temperature of coretemp, Package id 0. Unit: hwmon_coretemp]\n"
	      "\nuncore:\n"
	      "  unc_m_toy_reads                                   \n"
	      "       [Reads from memory. Unit: uncore_imc]\n");
	check(LIST_PMU, "*FILLS*", &paged, false, NULL,
	      "\ncore:\n"
	      "  toy_cache.fills                                   \n"
	      "       [Lines that came into the toy\n"
	      "        cache]\n\n");
	check(LIST_PMU, "uncor*", &view, false, NULL,
	      "  uncore_imc_0/reads/                                [Kernel PMU event]\n"
	      "\nuncore:\n"
	      "  unc_m_toy_reads                                   \n"
	      "       [Reads from memory. Unit: uncore_imc]\n");
}

static void gpus_are_asked_only_when_meant(void **state)
{
	char drm_root[64], proc_root[64], name[64];
	const struct event_host host = {.drm_root = drm_root, .proc_root = proc_root};
	static const struct {
		unsigned int kinds;
		const char *pattern;
		size_t rows;
	} wanted[] = {
		{LIST_SENSOR, NULL, 1},
		{LIST_SENSOR, "*x*", 0},
		{LIST_SENSOR | LIST_PMU, NULL, 0},
		{LIST_SENSOR | LIST_PMU, "*engine*", 0},
		{LIST_SENSOR | LIST_PMU, "drm*", 1},
	};

	(void)state;
	folder_put(root, "dri/renderD128", "");
	for (int fd = 3; fd < 40; fd++) {
		snprintf(name, sizeof(name), "proc/self/fdinfo/%d", fd);
		folder_put(root, name, "drm-driver: i915\ndrm-engine-video: 5 ns\n");
	}
	snprintf(drm_root, sizeof(drm_root), "%s/dri", root);
	snprintf(proc_root, sizeof(proc_root), "%s/proc", root);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		struct listing l = {0};

		listing_add(&l, &host, wanted[i].kinds, NULL, wanted[i].pattern);
		assert_int_equal(l.rows.n, wanted[i].rows);
		if (l.rows.n) {
			assert_string_equal(l.rows.at[0].name, "drm-engine-video");
			assert_string_equal(l.rows.at[0].pmu, "drm_i915");
		}
		listing_release(&l);
	}
}

static void options_say_more_or_less(void **state)
{
	const struct list_view none = {.width = 79};
	const struct list_view details = {.desc = true, .details = true, .width = 79};
	const struct list_view longer = {.desc = true, .long_desc = true, .width = 79};

	(void)state;
	check(LIST_PMU | LIST_SENSOR, "toy_cache.*", &none, true, NULL,
	      "  toy_cache.busy                                     [Kernel PMU event]\n"
	      "  toy_cache.fills                                    [Kernel PMU event]\n"
	      "  toy_cache.old                                      [Kernel PMU event]\n");
	check(LIST_PMU | LIST_SENSOR, "*[lm]*s", &details, false, "uncore_imc",
	      "\nuncore:\n"
	      "  unc_m_toy_reads                                   \n"
	      "       [Reads from memory. Unit: uncore_imc]\n"
	      "        uncore_imc_0/event=0x4,umask=0x3/ \n");
	check(LIST_PMU, "toy_cache.fills", &details, false, "cpu",
	      "\ncore:\n"
	      "  toy_cache.fills                                   \n"
	      "       [Lines that came into the toy cache]\n"
	      "        cpu/event=0x51,period=0x186a3,umask=0x1/ \n");
	check(LIST_PMU | LIST_SENSOR, "t*[i1s]", &longer, false, NULL,
	      "\ncore:\n"
	      "  toy_cache.fills                                   \n"
	      "       [Counts each line that came into the toy cache, whether somebody asked\n"
	      "        for it or it was fetched on suspicion of being wanted soon]\n"
	      "  toy_front.miss                                    \n"
	      "       [Instructions that came late]\n"
	      "  toy_offcore.reads                                 \n"
	      "       [Reads that left the core]\n"
	      "\nhwmon:\n"
	      "  temp_package_id_0 OR temp1                        \n"
	      "       [Temperature of coretemp, Package id 0. crit=100'C. Unit:\n"
	      "        hwmon_coretemp]\n");
	check(LIST_PMU | LIST_SENSOR | LIST_RAW, NULL, NULL, false, NULL,
	      "cpu/cpu-cycles/ cpu/mem-loads/ uncore_imc_0/reads/ cpu_clk_unhalted.thread "
	      "inst_retired.any toy_cache.busy toy_cache.fills toy_front.miss toy_loads.all "
	      "toy_loads.slower_than_4 toy_offcore.reads fan1 temp_package_id_0 unc_m_toy_reads ");
}

static void metrics_stand_in_groups(void **state)
{
	const struct list_view view = {.desc = true, .width = 79}, details = {.details = true};

	(void)state;
	check(LIST_METRIC, "toy*", &view, false, NULL,
	      "\nMetrics:\n\n"
	      "  toy_busy\n"
	      "       [How busy it is]\n"
	      "  toy_cpi\n"
	      "       [Cycles an instruction takes]\n");
	check(LIST_METRIC, "toy_cpi", &details, false, NULL,
	      "\nMetrics:\n\n"
	      "  toy_cpi\n"
	      "       [Cycles an instruction takes]\n"
	      "       [CPU_CLK_UNHALTED.THREAD / INST_RETIRED.ANY]\n"
	      "       [toy_cpi > 1e0 & (toy_busy > 20 | toy_cpi < 0.5)]\n");
	check(LIST_METRIC | LIST_METRIC_GROUP, "toy*", &view, false, NULL,
	      "\nMetric Groups:\n\n"
	      "Toy:\n"
	      "  toy_busy\n"
	      "       [How busy it is]\n"
	      "  toy_cpi\n"
	      "       [Cycles an instruction takes]\n"
	      "Toy_L1:\n"
	      "  toy_busy\n"
	      "       [How busy it is]\n");
	check(LIST_METRIC_GROUP, "toy*", &view, false, NULL, "\nMetric Groups:\n\nToy\nToy_L1\n");
	check(LIST_METRIC_GROUP, "toy*", NULL, false, NULL, "Toy Toy_L1 ");
	check(LIST_METRIC, "toy*", NULL, false, NULL, "toy_busy toy_cpi\n");
	check(LIST_METRIC | LIST_METRIC_GROUP, "toy*", NULL, false, NULL,
	      "Toy toy_busy toy_cpi\nToy_L1 toy_busy\n");
}

static void json_has_all_of_it(void **state)
{
	const struct event_host host = {
		.pmu_root = pmu_root, .hwmon_root = hwmon_root, .vendor = &vendor};
	struct listing l = {.deprecated = true};
	struct buf b = {0};

	(void)state;
	listing_add(&l, &host, LIST_PMU, NULL, "uncore_imc_0/*");
	listing_add(&l, &host, LIST_PMU, NULL, "toy_cache.[fo]*l*");
	listing_add(&l, &host, LIST_PMU, NULL, "unc_m*");
	listing_add(&l, &host, LIST_METRIC, NULL, "toy_cpi");
	listing_add(&l, &host, LIST_METRIC_GROUP, NULL, "toy");
	listing_put(&l, &(struct listing_row){.kind = LIST_SDT, .name = "sdt_\"a\\\n:b"});
	list_show_json(&l, true, &b);
	assert_string_equal(
		buf_text(&b),
		"[\n"
		"{\n\t\"Unit\": \"uncore_imc_0\",\n\t\"EventName\": \"uncore_imc_0/reads/\",\n"
		"\t\"ScaleUnit\": \"0.5MiB\",\n\t\"EventType\": \"Kernel PMU event\",\n"
		"\t\"Encoding\": \"uncore_imc_0/event=0x4/\"\n},\n"
		"{\n\t\"Unit\": \"cpu\",\n\t\"Topic\": \"core\",\n\t\"EventName\": "
		"\"toy_cache.fills\",\n"
		"\t\"EventType\": \"Kernel PMU event\",\n"
		"\t\"BriefDescription\": \"Lines that came into the toy cache\",\n"
		"\t\"PublicDescription\": \"Counts each line that came into the toy cache, whether "
		"somebody asked for it or it was fetched on suspicion of being wanted soon\",\n"
		"\t\"Encoding\": \"cpu/event=0x51,period=100003,umask=0x1/\"\n},\n"
		"{\n\t\"Unit\": \"cpu\",\n\t\"Topic\": \"core\",\n\t\"EventName\": "
		"\"toy_cache.old\",\n"
		"\t\"Deprecated\": \"1\",\n\t\"EventType\": \"Kernel PMU event\",\n"
		"\t\"BriefDescription\": \"Nobody should use this any more\",\n"
		"\t\"Encoding\": \"cpu/event=0x52,umask=0x1/\"\n},\n"
		"{\n\t\"Unit\": \"uncore_imc_0\",\n\t\"Topic\": \"uncore\",\n"
		"\t\"EventName\": \"unc_m_toy_reads\",\n\t\"ScaleUnit\": \"64Bytes\",\n"
		"\t\"EventType\": \"Kernel PMU event\",\n"
		"\t\"BriefDescription\": \"Reads from memory. Unit: uncore_imc\",\n"
		"\t\"Encoding\": \"uncore_imc_0/event=0x4,umask=0x3/\"\n},\n"
		"{\n\t\"MetricGroup\": \"CPI;Toy\",\n\t\"MetricName\": \"toy_cpi\",\n"
		"\t\"MetricExpr\": \"CPU_CLK_UNHALTED.THREAD / INST_RETIRED.ANY\",\n"
		"\t\"MetricThreshold\": \"toy_cpi > 1e0 & (toy_busy > 20 | toy_cpi < 0.5)\",\n"
		"\t\"ScaleUnit\": \"1per instr\",\n"
		"\t\"BriefDescription\": \"Cycles an instruction takes\"\n},\n"
		"{\n\t\"MetricGroup\": \"Toy\"\n},\n"
		"{\n\t\"EventName\": \"sdt_\\\"a\\\\\\u000a:b\",\n\t\"EventType\": \"SDT "
		"event\"\n}\n"
		"]\n");
	buf_release(&b);
	listing_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptions_stand_under_their_topics),
		cmocka_unit_test(gpus_are_asked_only_when_meant),
		cmocka_unit_test(options_say_more_or_less),
		cmocka_unit_test(metrics_stand_in_groups),
		cmocka_unit_test(json_has_all_of_it),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
