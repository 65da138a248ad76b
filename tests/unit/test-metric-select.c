// SPDX-License-Identifier: MIT
/*
 * Metrics as tables: which events a list of metrics needs, in which groups, and what is computed of
 * their counts. To add a case, add a row.
 */
#include "folder.h"

#include "base/buf.h"
#include "event/metric/select.h"
#include "event/vendor/vendor.h"

#include <math.h>
#include <stdio.h>

static void same(const char *text, double got, double want)
{
	if (isnan(want) ? !isnan(got) : !(got == want))
		fail_msg("'%s': %.17g instead of %.17g", text, got, want);
}

static char root[64];

static int make_machine(void **state)
{
	(void)state;
	snprintf(root, sizeof(root), "/tmp/test-metric-select-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	folder_put(root, "sys/devices/system/cpu/smt/active", "1\n");
	folder_put(root, "sys/devices/system/cpu/present", "0-5\n");
	folder_put(root, "sys/bus/event_source/devices/armv8_pmuv3_0/caps/slots", "0x00000008\n");
	folder_put(root, "pmu/cpu/type", "4\n");
	folder_put(root, "pmu/cpu/format/event", "config:0-7\n");
	folder_put(root, "pmu/cpu/format/umask", "config:8-15\n");
	folder_put(root, "pmu/cpu/events/slots", "event=0x00,umask=0x4\n");
	folder_put(root, "pmu/cpu/events/topdown-retiring", "event=0x00,umask=0x80\n");
	folder_put(root, "pmu/cpu/events/topdown-bad-spec", "event=0x00,umask=0x81\n");
	folder_put(root, "pmu/cpu/events/topdown-fe-bound", "event=0x00,umask=0x82\n");
	folder_put(root, "pmu/cpu/events/topdown-be-bound", "event=0x00,umask=0x83\n");
	folder_put(root, "pmu/cpu/events/topdown-fetch-lat", "event=0x00,umask=0x86\n");
	folder_put(root, "pmu/cpu/events/scaled", "event=0x77\n");
	folder_put(root, "pmu/cpu/events/scaled.scale", "4\n");
	folder_put(root, "pmu/msr/type", "9\n");
	folder_put(root, "pmu/msr/format/event", "config:0-63\n");
	folder_put(root, "pmu/msr/events/tsc", "event=0x00\n");
	for (int i = 0; i < 3; i++) {
		char name[80], text[16];

		snprintf(name, sizeof(name), "pmu/uncore_imc_%d/type", i);
		snprintf(text, sizeof(text), "%d\n", 20 + i);
		folder_put(root, name, text);
		snprintf(name, sizeof(name), "pmu/uncore_imc_%d/cpumask", i);
		folder_put(root, name, "0\n");
		snprintf(name, sizeof(name), "pmu/uncore_imc_%d/format/event", i);
		folder_put(root, name, "config:0-7\n");
		snprintf(name, sizeof(name), "pmu/uncore_imc_%d/events/clockticks", i);
		folder_put(root, name, "event=0xff\n");
		snprintf(name, sizeof(name), "pmu/uncore_imc_%d/events/reads", i);
		folder_put(root, name, "event=0x04\n");
		snprintf(name, sizeof(name), "pmu/uncore_imc_%d/events/reads.scale", i);
		folder_put(root, name, "0.5\n");
	}
	folder_put(root, "hybrid/cpu_core/type", "4\n");
	folder_put(root, "hybrid/cpu_core/cpus", "0-3\n");
	folder_put(root, "hybrid/cpu_core/format/event", "config:0-7\n");
	folder_put(root, "hybrid/cpu_core/events/ops", "event=0x01\n");
	folder_put(root, "hybrid/cpu_core/events/clocks", "event=0x02\n");
	folder_put(root, "hybrid/cpu_atom/type", "10\n");
	folder_put(root, "hybrid/cpu_atom/cpus", "4-5\n");
	folder_put(root, "hybrid/cpu_atom/format/event", "config:0-7\n");
	folder_put(root, "hybrid/cpu_atom/events/ops", "event=0x11\n");
	folder_put(root, "hybrid/cpu_atom/events/clocks", "event=0x12\n");
	folder_put(root, "arm/armv8_pmuv3_0/type", "8\n");
	folder_put(root, "arm/armv8_pmuv3_0/cpus", "0-3\n");
	folder_put(root, "arm/armv8_pmuv3_0/format/event", "config:0-15\n");
	folder_put(root, "arm/armv8_pmuv3_0/events/stall_frontend", "event=0x23\n");
	folder_put(root, "arm/armv8_pmuv3_0/events/stall_backend", "event=0x24\n");
	folder_put(root, "arm/armv8_pmuv3_0/events/cpu_cycles", "event=0x11\n");
	folder_put(root, "arm/armv8_pmuv3_0/events/stall_slot", "event=0x3f\n");
	folder_put(root, "arm/armv8_pmuv3_0/events/stall_slot_frontend", "event=0x3e\n");
	folder_put(root, "arm/armv8_pmuv3_0/events/stall_slot_backend", "event=0x3d\n");
	folder_put(root, "arm/armv8_pmuv3_0/events/op_retired", "event=0x3a\n");
	folder_put(root, "arm/armv8_pmuv3_0/events/op_spec", "event=0x3b\n");
	folder_put(root, "nmi/sys/kernel/nmi_watchdog", "1\n");
	return 0;
}

static int remove_machine(void **state)
{
	(void)state;
	return folder_remove(root);
}

static void built_in_ones_are_sound(void **state)
{
	struct arena arena = {0};

	(void)state;
	for (size_t i = 0; i < metric_builtin_count; i++) {
		const struct metric *m = &metric_builtin[i];
		struct err err = {0};

		if (!metric_parse(m->expr, &arena, &err) ||
		    (m->threshold && !metric_parse(m->threshold, &arena, &err)) ||
		    (m->only_if && !metric_parse(m->only_if, &arena, &err)))
			fail_msg("%s: %s", m->name, err.text);
		assert_non_null(m->brief);
		assert_true(m->brief[strlen(m->brief) - 1] != '.');
	}
	arena_release(&arena);
}

static void tables_are_sorted(void **state)
{
	static const struct metric rows[] = {
		{.name = "b", .expr = "1", .groups = "Two; one;"},
		{.name = "C", .expr = "1", .groups = ";;two"},
		{.name = "a", .expr = "1"},
		{.name = "B", .expr = "1", .pmu = "cpu_atom", .groups = "three"},
	};
	static const char *const names[] = {"a", "b", "B", "C"};
	static const char *const groups[] = {"one", "three", "Two"};
	struct metric_table t = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		metric_table_add(&t, &rows[i]);
	metric_table_sort(&t);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_string_equal(t.metrics.at[i].name, names[i]);
	assert_int_equal(t.groups.n, ARRAY_SIZE(groups));
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		assert_string_equal(t.groups.at[i].name, groups[i]);
	assert_true(metric_in_group(&rows[0], "ONE", 3));
	assert_true(metric_in_group(&rows[0], "two", 3));
	assert_false(metric_in_group(&rows[0], "tw", 2));
	assert_false(metric_in_group(&rows[0], "", 0));
	assert_false(metric_in_group(&rows[2], "one", 3));
	metric_table_release(&t);
}

/* Metrics of the test, beside the built-in ones. */
static const struct metric of_test[] = {
	{.name = "two", .expr = "r1 / r2", .groups = "Ratios"},
	{.name = "three", .expr = "(r1 + r3) / r2", .groups = "Ratios"},
	{.name = "other", .expr = "r4 / r5", .groups = "Ratios;Others"},
	{.name = "loose", .expr = "r1 / r6", .flags = METRIC_NO_GROUP},
	{.name = "loose_too", .expr = "r6 / r7", .flags = METRIC_NO_GROUP},
	{.name = "watched", .expr = "r1 / r2", .flags = METRIC_NO_GROUP_WATCHDOG},
	{.name = "smt", .expr = "r1 / r2", .flags = METRIC_NO_GROUP_SMT},
	{.name = "limited",
	 .expr = "r1 / r2",
	 .threshold = "limited > 0.5 & r8 > 0",
	 .scale_unit = "100%"},
	{.name = "limited_watched",
	 .expr = "r1 / r2",
	 .threshold = "limited_watched > 0.5 & r8 > 0",
	 .flags = METRIC_NO_THRESHOLD_WATCHDOG},
	{.name = "bad_threshold", .expr = "r1", .threshold = "nothing@of@ > 1"},
	{.name = "broken_threshold", .expr = "r1", .threshold = "1 >"},
	{.name = "imc", .expr = "64 * uncore_imc@reads@ / uncore_imc@clockticks@"},
	{.name = "per_imc", .expr = "uncore_imc@reads@ / source_count(uncore_imc@reads@)"},
	{.name = "mixed", .expr = "uncore_imc_0@reads@ / r1 + task\\-clock + duration_time"},
	{.name = "raw_scale", .expr = "cpu@scaled@"},
	{.name = "with_scale", .expr = "cpu@scaled@", .flags = METRIC_SCALED},
	{.name = "both_scales", .expr = "with_scale / cpu@scaled@"},
	{.name = "conditional", .expr = "r1 if #smt_on else r2"},
	{.name = "has",
	 .expr = "topdown\\-retiring if has_event(topdown\\-retiring) else nothing@of@"},
	{.name = "constant", .expr = "#num_cpus * 2", .scale_unit = "1CPUs"},
	{.name = "doubled", .expr = "2 * two"},
	{.name = "again", .expr = "doubled + two + r1"},
	{.name = "gone", .expr = "nothing@of@ / r1", .groups = "Gone"},
	{.name = "gone_too", .expr = "two + gone", .groups = "Gone;Others"},
	{.name = "wrong", .expr = "r1 /", .groups = "Gone"},
	{.name = "loop_a", .expr = "loop_b + 1"},
	{.name = "loop_b", .expr = "loop_c + 1"},
	{.name = "loop_c", .expr = "loop_a + 1"},
	{.name = "itself", .expr = "itself + 1"},
	{.name = "r9", .expr = "r9 * 2"}, /* called as its event */
	{.name = "same", .expr = "cpu@event\\=0x1@ / r2"},
	{.name = "tsc", .expr = "msr@tsc@ / r1"},
	{.name = "times", .expr = "user_time / duration_time"},
	{.name = "slow",
	 .expr = "topdown\\-fetch\\-lat / slots + r1 / r2",
	 .groups = "SlowOnes",
	 .no_group_in = "slowones"},
	{.name = "slow_too",
	 .expr = "topdown\\-fe\\-bound / slots + r1 / r3",
	 .groups = "SlowOnes",
	 .no_group_in = "slowones"},
	{.name = "switches", .expr = "r1:k / r2"},
};

static void read_table(struct metric_table *t, const struct event_host *host,
		       const struct metric_facts *facts)
{
	metric_table_read(t, host, facts);
	for (size_t i = 0; i < ARRAY_SIZE(of_test); i++)
		metric_table_add(t, &of_test[i]);
	metric_table_sort(t);
}

/* "{a,b}:W c": the events from the given one on. */
static void show_set(const struct event_set *set, size_t from, struct buf *out)
{
	for (size_t i = from; i < set->events.n; i++) {
		const struct event *ev = set->events.at[i], *leader = set->events.at[ev->leader];
		bool first = event_is_leader(ev), last = i + 1 == ev->leader + leader->members;

		assert_int_equal(ev->index, i);
		buf_printf(out, "%s%s%s%s%s", i > from && first ? " " : "",
			   !first		 ? ","
			   : leader->members > 1 ? "{"
						 : "",
			   ev->name, leader->members > 1 && last ? "}" : "",
			   leader->members > 1 && last && leader->weak_group ? ":W" : "");
		assert_true(first || !ev->weak_group);
	}
}

#define NO_GROUP     METRIC_SELECT_NO_GROUP
#define NO_MERGE     METRIC_SELECT_NO_MERGE
#define NO_THRESHOLD METRIC_SELECT_NO_THRESHOLD

/* Which events are counted for a list, and beside which of them each metric is shown. */
static const struct {
	const char *list;
	unsigned int flags;
	const char *events, *uses;
} selections[] = {
	{"IPC", 0, "{instructions,cpu-cycles}:W", "IPC@0"},
	{"ipc", 0, "{instructions,cpu-cycles}:W", "IPC@0"},
	{"IPC", NO_GROUP, "instructions cpu-cycles", "IPC@0"},
	{"IPC:u", 0, "{instructions:u,cpu-cycles:u}:W", "IPC@0"},
	{"IPC,IPC", 0, "{instructions,cpu-cycles}:W", "IPC@0"},
	{"IPC,IPC:u", 0, "{instructions,cpu-cycles}:W {instructions:u,cpu-cycles:u}:W",
	 "IPC@0 IPC@2"},
	{" IPC , ,two,", 0, "{instructions,cpu-cycles}:W {r1,r2}:W", "IPC@0 two@2"},
	{"CPUs_utilized", 0, "task-clock duration_time", "CPUs_utilized@0"},
	{"CPUs_utilized:u", 0, "task-clock:u duration_time", "CPUs_utilized@0"},
	{"cs_per_second,migrations_per_second", 0, "context-switches task-clock cpu-migrations",
	 "cs_per_second@0 migrations_per_second@2"},
	{"cs_per_second,migrations_per_second", NO_MERGE,
	 "context-switches task-clock cpu-migrations task-clock",
	 "cs_per_second@0 migrations_per_second@2"},
	{"two", 0, "{r1,r2}:W", "two@0"},
	{"two,three", 0, "{r1,r3,r2}:W", "two@0 three@0"},
	{"three,two", 0, "{r1,r3,r2}:W", "three@0 two@0"},
	{"two,three", NO_MERGE, "{r1,r2}:W {r1,r3,r2}:W", "two@0 three@2"},
	{"two,three", NO_GROUP, "r1 r2 r3", "two@0 three@0"},
	{"two,three", NO_GROUP | NO_MERGE, "r1 r2 r1 r3 r2", "two@0 three@2"},
	{"Ratios", 0, "{r1,r3,r2}:W {r4,r5}:W", "two@0 three@0 other@3"},
	{"ratio*", 0, "{r1,r3,r2}:W {r4,r5}:W", "two@0 three@0 other@3"},
	{"T[HW]*E", 0, "{r1,r3,r2}:W", "three@0"},
	{"t[w]o", 0, "{r1,r2}:W", "two@0"},
	{"two,two:u", NO_GROUP, "r1 r2 r1:u r2:u", "two@0 two@2"},
	{"same", 0, "{cpu/event=0x1/,r2}:W", "same@0"},
	{"loose", 0, "r1 r6", "loose@0"},
	{"loose,loose_too", 0, "r1 r6 r7", "loose@0 loose_too@1"},
	{"loose,two", 0, "r1 r6 {r1,r2}:W", "loose@0 two@2"},
	{"two,loose", 0, "{r1,r2}:W r1 r6", "two@0 loose@2"},
	{"watched", 0, "{r1,r2}:W", "watched@0"},
	{"smt", 0, "r1 r2", "smt@0"},
	{"limited", 0, "{r1,r2,r8}:W", "limited@0"},
	{"limited", NO_THRESHOLD, "{r1,r2}:W", "limited@0"},
	{"bad_threshold", 0, "r1", "bad_threshold@0"},
	{"broken_threshold", 0, "r1", "broken_threshold@0"},
	{"imc", 0,
	 "{uncore_imc/reads/,uncore_imc/clockticks/}:W "
	 "{uncore_imc/reads/,uncore_imc/clockticks/}:W "
	 "{uncore_imc/reads/,uncore_imc/clockticks/}:W",
	 "imc@0"},
	{"imc,per_imc", 0,
	 "{uncore_imc/reads/,uncore_imc/clockticks/}:W "
	 "{uncore_imc/reads/,uncore_imc/clockticks/}:W "
	 "{uncore_imc/reads/,uncore_imc/clockticks/}:W",
	 "imc@0 per_imc@0"},
	{"per_imc", 0, "uncore_imc/reads/ uncore_imc/reads/ uncore_imc/reads/", "per_imc@0"},
	{"mixed", 0, "uncore_imc_0/reads/ r1 task-clock duration_time", "mixed@0"},
	{"conditional", 0, "r1", "conditional@0"},
	{"has", 0, "topdown-retiring", "has@0"},
	{"constant", 0, "duration_time", "constant@0"},
	{"doubled", 0, "{r1,r2}:W", "doubled@0"},
	{"again,two", 0, "{r1,r2}:W", "again@0 two@0"},
	{"Others", 0, "{r4,r5}:W", "other@0"},
	{"r9", 0, "r9", "r9@0"},
	{"tsc", 0, "msr/tsc/ r1", "tsc@0"},
	{"times", 0, "user_time duration_time", "times@0"},
	{"switches:u", 0, "{r1:ku,r2:u}:W", "switches@0"},
	{"tma_frontend_bound", 0,
	 "{slots,topdown-fe-bound,topdown-bad-spec,topdown-retiring,topdown-be-bound}",
	 "tma_frontend_bound@1"},
	{"TopdownL1", 0,
	 "{slots,topdown-fe-bound,topdown-bad-spec,topdown-retiring,topdown-be-bound}",
	 "tma_frontend_bound@1 tma_bad_speculation@1 tma_backend_bound@4 tma_retiring@3"},
	{"TopdownL1", NO_GROUP,
	 "{slots,topdown-fe-bound,topdown-bad-spec,topdown-retiring,topdown-be-bound}",
	 "tma_frontend_bound@1 tma_bad_speculation@1 tma_backend_bound@4 tma_retiring@3"},
	{"slow", 0, "{slots,topdown-fetch-lat} {r1,r2}:W", "slow@1"},
	{"slow,slow_too", 0, "{slots,topdown-fetch-lat,topdown-fe-bound} {r1,r2}:W {r1,r3}:W",
	 "slow@1 slow_too@2"},
	{"slow,slow_too", NO_MERGE,
	 "{slots,topdown-fetch-lat} {r1,r2}:W {slots,topdown-fe-bound} {r1,r3}:W",
	 "slow@1 slow_too@5"},
	{"SlowOnes", 0, "{slots,topdown-fetch-lat,topdown-fe-bound} r1 r2 r3", "slow@1 slow_too@2"},
	{"sl[o]wo*", 0, "{slots,topdown-fetch-lat,topdown-fe-bound} r1 r2 r3", "slow@1 slow_too@2"},
	{"slo*_too", 0, "{slots,topdown-fe-bound} {r1,r3}:W", "slow_too@1"},
	{"l1d_miss_rate", 0, "{L1-dcache-load-misses,L1-dcache-loads}:W", "l1d_miss_rate@0"},
	{"Default3", 0,
	 "{L1-icache-load-misses,L1-icache-loads}:W {dTLB-load-misses,dTLB-loads}:W "
	 "{iTLB-load-misses,iTLB-loads}:W",
	 "l1i_miss_rate@0 dtlb_miss_rate@2 itlb_miss_rate@4"},
	{"branch_frequency,branch_miss_rate", 0, "{branch-misses,branches}:W task-clock",
	 "branch_frequency@1 branch_miss_rate@0"},
	{"stalled_cycles_per_instruction,backend_cycles_idle", 0,
	 "{stalled-cycles-frontend,stalled-cycles-backend,instructions}:W "
	 "{stalled-cycles-backend,cpu-cycles}:W",
	 "stalled_cycles_per_instruction@0 backend_cycles_idle@3"},
};

static void lists_become_events(void **state)
{
	AUTO_CHAR *sys = mem_printf("%s/sys", root), *proc = mem_printf("%s/proc", root);
	AUTO_CHAR *pmus = mem_printf("%s/pmu", root);
	struct metric_facts facts = {.sys_root = sys, .proc_root = proc};
	struct event_host host = {.pmu_root = pmus};
	struct metric_table table = {0};

	(void)state;
	read_table(&table, &host, &facts);
	for (size_t i = 0; i < ARRAY_SIZE(selections); i++) {
		struct metric_selection sel = {0};
		struct event_set set = {0};
		struct err err = {0};
		AUTO_BUF events = {0};
		AUTO_BUF uses = {0};

		/* what was there before stays as it is */
		assert_int_equal(event_parse(&set, "{cpu-clock,faults}", &host, NULL), 0);
		if (metric_select(&sel, &set, selections[i].list, selections[i].flags, &table,
				  &host, &facts, &err))
			fail_msg("'%s': %s", selections[i].list, err.text);
		show_set(&set, 2, &events);
		if (strcmp(buf_text(&events), selections[i].events))
			fail_msg("'%s', flags %u:\n%s instead of\n%s", selections[i].list,
				 selections[i].flags, buf_text(&events), selections[i].events);
		for (size_t u = 0; u < sel.uses.n; u++)
			buf_printf(&uses, "%s%s@%u", u ? " " : "", sel.uses.at[u].metric->name,
				   sel.uses.at[u].event - 2);
		if (strcmp(buf_text(&uses), selections[i].uses))
			fail_msg("'%s': %s instead of %s", selections[i].list, buf_text(&uses),
				 selections[i].uses);
		assert_int_equal(set.events.at[0]->members, 2);
		metric_selection_release(&sel);
		event_set_release(&set);
	}
	metric_table_release(&table);
}

static const struct {
	const char *list, *says;
	enum err_code code;
} refusals[] = {
	{"", "no metric is named", ERR_USAGE},
	{" , ", "no metric is named", ERR_USAGE},
	{"nonsense", "cannot find metric or group 'nonsense'", ERR_USAGE},
	{"insn_per_cycl",
	 "cannot find metric or group 'insn_per_cycl'; did you mean 'insn_per_cycle'?", ERR_USAGE},
	{"IPC,Ratio", "cannot find metric or group 'Ratio'; did you mean 'Ratios'?", ERR_USAGE},
	{"x*", "cannot find metric or group 'x*'", ERR_USAGE},
	{"gone", "metric 'gone': event 'nothing/of/'", ERR_UNSUPPORTED},
	{"two,gone", "metric 'gone': event 'nothing/of/'", ERR_UNSUPPORTED},
	{"gone_too", "metric 'gone_too': event 'nothing/of/'", ERR_UNSUPPORTED},
	{"Gone", "metric 'gone': event 'nothing/of/'", ERR_UNSUPPORTED},
	{"wrong", "metric 'wrong': expression 'r1 /': something is missing at the end",
	 ERR_UNSUPPORTED},
	{"loop_a", "metric 'loop_a': it needs itself, by way of 'loop_a'", ERR_UNSUPPORTED},
	{"itself", "metric 'itself': it needs itself, by way of 'itself'", ERR_UNSUPPORTED},
	{"retiring", "metric 'retiring' needs events that this machine doesn't have",
	 ERR_UNSUPPORTED},
	{"IPC:z", "metric 'IPC': event 'instructions:z': unknown modifier 'z'", ERR_UNSUPPORTED},
};

static void lists_are_refused(void **state)
{
	AUTO_CHAR *sys = mem_printf("%s/sys", root), *proc = mem_printf("%s/proc", root);
	AUTO_CHAR *pmus = mem_printf("%s/pmu", root);
	struct metric_facts facts = {.sys_root = sys, .proc_root = proc};
	struct event_host host = {.pmu_root = pmus};
	struct metric_table table = {0};

	(void)state;
	read_table(&table, &host, &facts);
	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++) {
		struct metric_selection sel = {0};
		struct event_set set = {0};
		struct err err = {0};

		assert_int_equal(event_parse(&set, "cycles", &host, NULL), 0);
		if (!metric_select(&sel, &set, refusals[i].list, 0, &table, &host, &facts, &err))
			fail_msg("'%s' is taken", refusals[i].list);
		if (strncmp(err.text, refusals[i].says, strlen(refusals[i].says)) ||
		    err.code != refusals[i].code)
			fail_msg("'%s': %s", refusals[i].list, err.text);
		assert_int_equal(set.events.n, 1);
		assert_int_equal(sel.uses.n, 0);
		metric_selection_release(&sel);
		event_set_release(&set);
	}
	metric_table_release(&table);
}

/* What an event counts: by its name, the sum over the counters when there are several. */
static const struct {
	const char *event;
	double count;
} counted[] = {
	{"instructions", 3000},
	{"cpu-cycles", 2000},
	{"task-clock", 4e9},
	{"cpu-clock", 16e9},
	{"duration_time", 2e9},
	{"user_time", 1e9},
	{"context-switches", 100},
	{"branches", 500},
	{"branch-misses", 30},
	{"stalled-cycles-frontend", NAN},
	{"stalled-cycles-backend", 1000},
	{"slots", 1000},
	{"topdown-retiring", 400},
	{"topdown-bad-spec", 50},
	{"topdown-fe-bound", 150},
	{"topdown-be-bound", 400},
	{"uncore_imc/reads/", 6},
	{"uncore_imc/clockticks/", 32},
	{"cpu/scaled/", 10},
	{"r1", 8},
	{"r2", 4},
	{"r3", 2},
	{"r8", 1},
	{"r9", 9},
	{"stall_frontend", 300},
	{"stall_backend", 100},
	{"cpu_cycles", 1000},
	{"stall_slot", 4000},
	{"stall_slot_frontend", 1600},
	{"stall_slot_backend", 2400},
	{"op_retired", 90},
	{"op_spec", 100},
	{"ops", 7},
	{"clocks", 14},
};

static double count_of(const char *event)
{
	for (size_t i = 0; i < ARRAY_SIZE(counted); i++)
		if (!strncmp(counted[i].event, event, strcspn(event, ":")) &&
		    !counted[i].event[strcspn(event, ":")])
			return counted[i].count;
	fail_msg("no count for '%s'", event);
	return NAN;
}

struct machine {
	struct event_host host;
	struct metric_facts facts;
};

/* "VALUE TEXT JUDGEMENT" of each metric of a list. */
static void compute(const struct machine *m, const char *list, unsigned int flags, struct buf *out)
{
	struct metric_table table = {0};
	struct metric_selection sel = {0};
	struct event_set set = {0};
	struct err err = {0};
	double *v;

	read_table(&table, &m->host, &m->facts);
	if (metric_select(&sel, &set, list, flags, &table, &m->host, &m->facts, &err))
		fail_msg("'%s': %s", list, err.text);
	v = mem_alloc(set.events.n * sizeof(*v));
	for (size_t i = 0; i < set.events.n; i++)
		v[i] = count_of(set.events.at[i]->name);
	for (size_t i = 0; i < sel.uses.n; i++) {
		const struct metric_use *use = &sel.uses.at[i];
		struct metric_value got;

		metric_compute(use, &set, v, &got);
		buf_printf(out, "%s%.*f %s%s", i ? ", " : "", use->decimals, got.value, use->text,
			   got.judgement == METRIC_BAD	  ? " bad"
			   : got.judgement == METRIC_GOOD ? " good"
							  : "");
	}
	free(v);
	metric_selection_release(&sel);
	event_set_release(&set);
	metric_table_release(&table);
}

static const struct {
	const char *list, *values;
} computed[] = {
	{"IPC", "1.50 IPC"},
	{"limited:u,r9:k", "200.0 %  limited:u bad, 18.00 r9:k"},
	{"insn_per_cycle", "1.5 instructions  insn_per_cycle good"},
	{"CPUs_utilized", "2.0 CPUs  CPUs_utilized"},
	{"cs_per_second", "25.0 cs/sec  cs_per_second"},
	{"cycles_frequency", "0.0 GHz  cycles_frequency"},
	{"branch_miss_rate", "6.0 %  branch_miss_rate bad"},
	{"branch_frequency", "0.0 M/sec  branch_frequency"},
	{"backend_cycles_idle", "50.0 %  backend_cycles_idle bad"},
	{"frontend_cycles_idle", "nan %  frontend_cycles_idle"},
	{"stalled_cycles_per_instruction", "nan stalled_cycles_per_instruction"},
	{"TopdownL1", "15.0 %  tma_frontend_bound good, 5.0 %  tma_bad_speculation good, "
		      "40.0 %  tma_backend_bound bad, 40.0 %  tma_retiring good"},
	{"imc", "12.00 imc"},
	{"per_imc", "6.00 per_imc"},
	{"raw_scale,with_scale,both_scales", "10.00 raw_scale, 40.00 with_scale, 4.00 both_scales"},
	{"two,three,doubled,again", "2.00 two, 2.50 three, 4.00 doubled, 14.00 again"},
	{"limited", "200.0 %  limited bad"},
	{"bad_threshold", "8.00 bad_threshold"},
	{"constant", "12.0 CPUs  constant"},
	{"r9", "18.00 r9"},
	{"times", "0.50 times"},
};

static void counts_become_values(void **state)
{
	AUTO_CHAR *sys = mem_printf("%s/sys", root), *proc = mem_printf("%s/proc", root);
	AUTO_CHAR *pmus = mem_printf("%s/pmu", root);
	struct machine m = {{.pmu_root = pmus}, {.sys_root = sys, .proc_root = proc}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(computed); i++)
		for (unsigned int flags = 0; flags < 4; flags++) {
			AUTO_BUF got = {0};

			compute(&m, computed[i].list, flags, &got);
			if (strcmp(buf_text(&got), computed[i].values))
				fail_msg("'%s', flags %u: %s instead of %s", computed[i].list,
					 flags, buf_text(&got), computed[i].values);
		}
}

static void check(const struct machine *m, const char *list, const char *values)
{
	AUTO_BUF got = {0};

	compute(m, list, 0, &got);
	assert_string_equal(buf_text(&got), values);
}

/* Copies are events of their own, but those of one name on several PMUs stay together. */
static void copies_are_told_apart(void **state)
{
	AUTO_CHAR *pmus = mem_printf("%s/pmu", root);
	struct event_host host = {.pmu_root = pmus};
	struct metric_facts facts = {0};
	struct metric_table table = {0};
	struct metric_selection sel = {0};
	struct event_set set = {0};
	AUTO_BUF asked = {0};

	(void)state;
	read_table(&table, &host, &facts);
	assert_int_equal(event_parse(&set, "faults", &host, NULL), 0);
	assert_int_equal(metric_select(&sel, &set, "imc,per_imc,two,doubled", NO_MERGE, &table,
				       &host, &facts, NULL),
			 0);
	for (size_t i = 0; i < set.events.n; i++)
		buf_printf(&asked, "%u ", set.events.at[i]->asked);
	assert_string_equal(buf_text(&asked), "1 2 3 2 3 2 3 6 6 6 4 5 7 8 ");
	metric_selection_release(&sel);
	event_set_release(&set);
	metric_table_release(&table);
}

static void machines_differ(void **state)
{
	AUTO_CHAR *sys = mem_printf("%s/sys", root), *proc = mem_printf("%s/proc", root);
	AUTO_CHAR *pmus = mem_printf("%s/pmu", root), *arm = mem_printf("%s/arm", root);
	AUTO_CHAR *nmi = mem_printf("%s/nmi", root);
	struct machine m = {{.pmu_root = pmus}, {.sys_root = sys, .proc_root = proc}};

	(void)state;
	m.facts.target_cpu = true;
	check(&m, "CPUs_utilized", "8.0 CPUs  CPUs_utilized");
	/* slots and stalls; /sys says that a cycle has 8 of them */
	m = (struct machine){{.pmu_root = arm}, {.sys_root = sys, .proc_root = proc}};
	check(&m, "TopdownL1",
	      "20.0 %  frontend_bound good, 30.0 %  backend_bound bad, "
	      "45.0 %  retiring good, 5.0 %  bad_speculation good");
	check(&m, "Cycle_Accounting",
	      "30.0 %  frontend_stalled_cycles bad, 10.0 %  backend_stalled_cycles good");
	/* a counter is missing while the watchdog runs */
	m = (struct machine){{.pmu_root = pmus}, {.sys_root = sys, .proc_root = nmi}};
	check(&m, "limited_watched", "2.00 limited_watched");
}

static void show_events(const struct machine *m, const char *list, struct buf *out)
{
	struct metric_table table = {0};
	struct metric_selection sel = {0};
	struct event_set set = {0};
	struct err err = {0};

	read_table(&table, &m->host, &m->facts);
	if (metric_select(&sel, &set, list, 0, &table, &m->host, &m->facts, &err))
		fail_msg("'%s': %s", list, err.text);
	show_set(&set, 0, out);
	metric_selection_release(&sel);
	event_set_release(&set);
	metric_table_release(&table);
}

static void groups_depend_on_the_machine(void **state)
{
	AUTO_CHAR *sys = mem_printf("%s/sys", root), *proc = mem_printf("%s/proc", root);
	AUTO_CHAR *pmus = mem_printf("%s/pmu", root), *nmi = mem_printf("%s/nmi", root);
	AUTO_CHAR *arm = mem_printf("%s/arm", root);
	struct machine m = {{.pmu_root = pmus}, {.sys_root = sys, .proc_root = nmi}};
	AUTO_BUF got = {0};

	(void)state;
	show_events(&m, "watched,limited_watched", &got);
	buf_str(&got, " | ");
	m.facts.proc_root = proc;
	show_events(&m, "limited_watched", &got);
	buf_str(&got, " | ");
	/* the cores' only PMU counts the kernel's generic events, too */
	m.host.pmu_root = arm;
	m.facts.target_cpu = true;
	show_events(&m, "frontend_stalled_cycles", &got);
	assert_string_equal(buf_text(&got), "r1 r2 | {r1,r2,r8}:W | {stall_frontend,cpu_cycles}:W");
}

static void kinds_of_cores_have_their_own(void **state)
{
	static const struct metric rows[] = {
		{.name = "m", .expr = "ops / clocks", .pmu = "cpu_atom"},
		{.name = "m", .expr = "ops * clocks", .pmu = "cpu_core"},
		{.name = "all", .expr = "ops / clocks"},
		{.name = "refers", .expr = "m + 1", .pmu = "cpu_core"},
	};
	AUTO_CHAR *pmus = mem_printf("%s/hybrid", root);
	struct event_host host = {.pmu_root = pmus};
	struct metric_facts facts = {0};
	struct metric_table table = {0};
	struct metric_selection sel = {0};
	struct event_set set = {0};
	double counts[] = {7, 14, 3, 5};
	struct metric_value v;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		metric_table_add(&table, &rows[i]);
	metric_table_sort(&table);
	assert_int_equal(metric_select(&sel, &set, "m,all,refers", 0, &table, &host, &facts, NULL),
			 0);
	assert_int_equal(set.events.n, 4);
	assert_string_equal(set.events.at[0]->pmu, "cpu_atom");
	assert_string_equal(set.events.at[1]->pmu, "cpu_atom");
	assert_int_equal(set.events.at[0]->members, 2);
	assert_string_equal(set.events.at[2]->pmu, "cpu_core");
	assert_string_equal(set.events.at[3]->pmu, "cpu_core");
	assert_int_equal(set.events.at[2]->members, 2);
	metric_compute(&sel.uses.at[0], &set, counts, &v);
	same("cpu_atom", v.value, 0.5);
	metric_compute(&sel.uses.at[1], &set, counts, &v);
	same("cpu_core", v.value, 15);
	metric_compute(&sel.uses.at[2], &set, counts, &v);
	same("both", v.value, 10.0 / 19);
	metric_compute(&sel.uses.at[3], &set, counts, &v);
	same("refers", v.value, 16);
	/* a kind of cores that did not run */
	counts[0] = counts[1] = NAN;
	metric_compute(&sel.uses.at[0], &set, counts, &v);
	same("cpu_atom", v.value, NAN);
	metric_compute(&sel.uses.at[2], &set, counts, &v);
	same("both", v.value, 3.0 / 5);
	metric_selection_release(&sel);
	event_set_release(&set);
	metric_table_release(&table);
}

static void vendors_metrics_come_first(void **state)
{
	struct vendor_metric rows[] = {
		{.name = "ipc",
		 .expr = "r1 / r2",
		 .groups = "Summary;Ours",
		 .desc = "theirs",
		 .constraint = "NO_GROUP_EVENTS"},
		{.name = "theirs", .expr = "r1", .groups = ""},
	};
	struct vendor_group groups[] = {{"Summary", "in short"}, {"Unused", "not there"}};
	struct vendor vendor = {.metrics = {rows, 2, 2}, .groups = {groups, 2, 2}};
	struct event_host host = {.vendor = &vendor};
	struct metric_facts facts = {0};
	struct metric_table table = {0};
	const struct metric *m;
	size_t n, briefs = 0;

	(void)state;
	metric_table_read(&table, &host, &facts);
	m = metric_find(&table, "IPC", &n);
	assert_int_equal(n, 1);
	assert_string_equal(m->brief, "theirs");
	assert_int_equal(m->flags, METRIC_NO_GROUP);
	m = metric_find(&table, "INSN_PER_CYCLE", &n);
	assert_int_equal(n, 1);
	assert_string_equal(m->expr, "instructions / cpu\\-cycles");
	assert_null(metric_find(&table, "tma_retiring", &n));
	for (size_t i = 0; i < table.groups.n; i++) {
		const struct metric_group *g = &table.groups.at[i];

		if (!g->brief)
			continue;
		briefs++;
		assert_string_equal(g->name, "Summary");
		assert_string_equal(g->brief, "in short");
	}
	assert_int_equal(briefs, 1);
	metric_table_release(&table);
}

/* Each metric names the one before it twice: values are still computed once. */
static void references_do_not_multiply(void **state)
{
	struct event_host host = {0};
	struct metric_facts facts = {0};
	struct metric_table table = {0};
	struct metric_selection sel = {0};
	struct event_set set = {0};
	struct err err = {0};
	struct metric_value v;
	double count = 1;

	(void)state;
	for (int i = 0; i < 100; i++)
		metric_table_add(&table, &(struct metric){
						 .name = arena_printf(&table.arena, "m%d", i),
						 .expr = i ? arena_printf(&table.arena, "m%d + m%d",
									  i - 1, i - 1)
							   : "r1",
					 });
	metric_table_sort(&table);
	assert_int_equal(metric_select(&sel, &set, "m60", 0, &table, &host, &facts, &err), 0);
	metric_compute(&sel.uses.at[0], &set, &count, &v);
	same("2^60", v.value, 0x1p60);
	assert_int_equal(metric_select(&sel, &set, "m99", 0, &table, &host, &facts, &err), -1);
	assert_string_equal(err.text, "metric 'm99': too many metrics refer to each other");
	metric_selection_release(&sel);
	event_set_release(&set);
	metric_table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(built_in_ones_are_sound),
		cmocka_unit_test(tables_are_sorted),
		cmocka_unit_test(lists_become_events),
		cmocka_unit_test(lists_are_refused),
		cmocka_unit_test(counts_become_values),
		cmocka_unit_test(copies_are_told_apart),
		cmocka_unit_test(machines_differ),
		cmocka_unit_test(groups_depend_on_the_machine),
		cmocka_unit_test(kinds_of_cores_have_their_own),
		cmocka_unit_test(vendors_metrics_come_first),
		cmocka_unit_test(references_do_not_multiply),
	};

	return cmocka_run_group_tests(tests, make_machine, remove_machine);
}
