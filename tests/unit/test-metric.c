// SPDX-License-Identifier: MIT
/*
 * The language of metrics as tables: what a text is worth, what it needs on a machine, and what is
 * said of mistakes. To add a case, add a row.
 */
#include "folder.h"

#include "base/buf.h"
#include "event/metric/expr.h"

#include <math.h>
#include <stdio.h>

/* What the names in the rows count. */
static const struct {
	const char *name;
	double count;
	uint32_t sources;
} counts[] = {
	{"a", 8, 1},
	{"b", 3, 2},
	{"zero", 0, 1},
	{"half", 0.5, 1},
	{"minus", -7, 1},
	{"nan", NAN, 1},
	{"huge", 1e300, 1},
	{"cycles", 1000, 1},
	{"instructions", 500, 4},
	{"L1-dcache-loads", 40, 1},
	{"cpu/event=0x3c,umask=0x1/", 77, 1},
	{"cpu/event=0x3c/k", 78, 1},
	{"uncore_imc/cas_count_read/", 64, 6},
	{"cycles:u", 90, 1},
	{"INST_RETIRED.ANY", 21, 1},
	{"sched:sched_switch", 5, 1},
	{"4a", 4, 1},
	{"1.2.3", 6, 1},
	{"0x1f", 31, 1},
	{"minimum", 11, 1},
	{"iffy", 12, 1},
	{"e9", 13, 1},
	{"a@b", 14, 1},
	{"a\\b", 15, 1},
	{"pmu/ev?/", 16, 1},
	{"duration_time", 2, 1},
};

static double value_of(const struct metric_expr *e)
{
	double *v = mem_alloc(e->n_ids * sizeof(*v)), got;
	uint32_t *sources = mem_alloc(e->n_ids * sizeof(*sources));

	for (uint32_t i = 0; i < e->n_ids; i++) {
		size_t k = 0;

		while (k < ARRAY_SIZE(counts) && strcmp(counts[k].name, e->ids[i]))
			k++;
		if (k == ARRAY_SIZE(counts))
			fail_msg("no count for '%s'", e->ids[i]);
		v[i] = counts[k].count;
		sources[i] = counts[k].sources;
	}
	got = metric_eval(e, v, sources);
	free(v);
	free(sources);
	return got;
}

static void same(const char *text, double got, double want)
{
	if (isnan(want) ? !isnan(got) : !(got == want))
		fail_msg("'%s': %.17g instead of %.17g", text, got, want);
}

static const struct {
	const char *text;
	double value;
} values[] = {
	/* numbers */
	{"0", 0},
	{"42", 42},
	{"1.5", 1.5},
	{".5", 0.5},
	{"2.", 2},
	{"1e9", 1e9},
	{"1e-9", 1e-9},
	{"2.5e3", 2500},
	{".1e1", 1},
	{"6.1e-5", 6.1e-5},
	{"0.1", 0.1},
	{"1.1 + 2.1", 1.1 + 2.1},
	{"123456789012345", 123456789012345.0},
	{"1e22", 1e22},
	{"1e400", INFINITY},
	{"1e-400", 0},
	{"0e999999999", 0},
	{"007", 7},
	{"  3\t+\n4 ", 7},
	/* names */
	{"a", 8},
	{"cycles", 1000},
	{"L1\\-dcache\\-loads", 40},
	{"cpu@event\\=0x3c\\,umask\\=0x1@", 77},
	{"cpu@event\\=0x3c@k", 78},
	{"uncore_imc@cas_count_read@", 64},
	{"cycles:u", 90},
	{"INST_RETIRED.ANY", 21},
	{"sched:sched_switch", 5},
	{"4a", 4},
	{"1.2.3", 6},
	{"0x1f", 31},
	{"minimum", 11},
	{"iffy", 12},
	{"e9", 13},
	{"a\\@b", 14},
	{"a\\\\b", 15},
	{"pmu@ev?@", 16},
	{"\\a", 8},
	{"4a + 1", 5},
	/* arithmetic */
	{"1 + 2", 3},
	{"1+2", 3},
	{"a-b", 5},
	{"a - b - 1", 4},
	{"a * b", 24},
	{"a / b", 8.0 / 3},
	{"a / 2 / 2", 2},
	{"a % b", 2},
	{"7.9 % 2.9", 1},
	{"minus % 3", -1},
	{"7 % -3", 1},
	{"7 % -1", 0},
	{"-huge % -1", 0},
	{"2 + 3 * 4", 14},
	{"(2 + 3) * 4", 20},
	{"2 * 3 + 4", 10},
	{"10 - 4 / 2", 8},
	{"100 * b % 7", 6},
	{"-a", -8},
	{"--a", 8},
	{"-a + 10", 2},
	{"-a * -1", 8},
	{"2 - -3", 5},
	{"-2 * 3", -6},
	{"-(2 + 3)", -5},
	{"((((1))))", 1},
	/* nothing to divide by */
	{"1 / 0", NAN},
	{"a / zero", NAN},
	{"zero / zero", NAN},
	{"1 / -0", NAN},
	{"a % zero", NAN},
	{"a % half", NAN},
	{"1 / 0 * 0", NAN},
	{"1 + a / zero", NAN},
	{"d_ratio(a, b)", 8.0 / 3},
	{"d_ratio(1, 2)", 0.5},
	{"d_ratio(2.5, 0)", 0},
	{"d_ratio(a, zero)", 0},
	{"d_ratio(nan, zero)", 0},
	{"d_ratio(nan, 1)", NAN},
	{"d_ratio(a, nan)", NAN},
	/* comparisons */
	{"1 < 2", 1},
	{"2 < 1", 0},
	{"1 > 2", 0},
	{"2 > 1", 1},
	{"1 < 1", 0},
	{"1 > 1", 0},
	{"a > b", 1},
	{"3 > 2 > 1", 0},
	{"1 + 1 < 3", 1},
	{"nan < 1", 0},
	{"nan > 1", 0},
	{"1 < nan", 0},
	{"a >= 8", 1},
	{"a >= 8.5", 0},
	{"a <= 8", 1},
	{"a <= 7", 0},
	{"a == 8", 1},
	{"a == b", 0},
	{"a != 8", 0},
	{"a != b", 1},
	{"nan >= 0", 0},
	{"nan <= 0", 0},
	{"nan == nan", 0},
	{"nan != nan", 0},
	{"1 + 1 == 2 & 2 <= 3", 1},
	{"a>=b", 1},
	/* whole numbers */
	{"5 & 3", 1},
	{"5 | 3", 7},
	{"5 ^ 3", 6},
	{"5.9 & 3.9", 1},
	{"-1 & 255", 255},
	{"1 | 2 & 4", 1},
	{"(1 | 2) & 4", 0},
	{"1 | 2 ^ 3", 1},
	{"6 ^ 3 & 1", 7},
	{"1 & 2 < 3", 1},
	{"a > 1 & b > 1", 1},
	{"a > 1 & b > 5", 0},
	{"a > 100 | b > 1", 1},
	{"1 + 1 | 4", 6},
	{"huge & 255", 255},
	{"huge | 0", 0x1p63},
	{"-huge | 0", -0x1p63},
	{"half | 0", 0},
	/* conditions */
	{"1 if 1 else 2", 1},
	{"1 if 0 else 2", 2},
	{"1 if -0 else 2", 2},
	{"1 if 0.001 else 2", 1},
	{"1 if -5 else 2", 1},
	{"1 if nan else 2", 1},
	{"1 if nan > 0 else 2", 2},
	{"a if a > b else b", 8},
	{"a if a < b else b", 3},
	{"1 + 1 if 3 * 4 else 0", 2},
	{"1 if 0 else 2 if 0 else 3", 3},
	{"1 if 0 else 2 if 1 else 3", 2},
	{"(1 if 1 else 2) if 0 else 3", 3},
	{"1 if 1 if 0 else 1 else 2", 1},
	{"10 * (1 if a else 2)", 10},
	{"1 / 0 if 0 else 5", 5},
	{"nan if 0 else 5", 5},
	/* functions */
	{"min(1, 2)", 1},
	{"min(2, 1)", 1},
	{"max(1, 2)", 2},
	{"max(2, 1)", 2},
	{"max(-1, -2)", -1},
	{"min(a, max(b, 5))", 5},
	{"max(a - 10, 0)", 0},
	{"min(1, 1 if 0 else 0)", 0},
	{"min(nan, 1)", NAN},
	{"min(1, nan)", NAN},
	{"max(nan, 1)", NAN},
	{"max(1, nan)", NAN},
	{"source_count(a)", 1},
	{"source_count(b)", 2},
	{"source_count(uncore_imc@cas_count_read@)", 6},
	{"uncore_imc@cas_count_read@ / source_count(uncore_imc@cas_count_read@)", 64.0 / 6},
	/* what isn't known */
	{"nan", NAN},
	{"nan + 1", NAN},
	{"nan * 0", NAN},
	{"-nan", NAN},
	{"nan & 0", 0},
	{"0 & nan", 0},
	{"half & nan", 0},
	{"nan & 1", NAN},
	{"nan | 0", NAN},
	{"nan | 5", 5},
	{"5 | nan", 5},
	{"nan ^ 5", NAN},
	{"nan % 5", NAN},
	{"5 % nan", NAN},
	{"#num_cpus", NAN},
	{"has_event(a)", NAN},
	{"strcmp_cpuid_str(0x1f)", NAN},
	/* real ones */
	{"instructions / cycles", 0.5},
	{"64 * uncore_imc@cas_count_read@ / 1e9 / duration_time", 64.0 * 64 / 1e9 / 2},
	{"100 * ( a / ( a + b ) )", 100.0 * (8.0 / 11)},
	{"1 - (a / cycles + b / cycles)", 1 - (8.0 / 1000 + 3.0 / 1000)},
};

static void texts_have_values(void **state)
{
	struct arena arena = {0};
	struct err err = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		const struct metric_expr *e = metric_parse(values[i].text, &arena, &err);

		if (!e)
			fail_msg("'%s': %s", values[i].text, err.text);
		same(values[i].text, value_of(e), values[i].value);
	}
	arena_release(&arena);
}

static const struct {
	const char *text, *says;
	int place; /* of the mark in the hint */
} mistakes[] = {
	{"", "something is missing at the end", 0},
	{"   ", "something is missing at the end", 3},
	{"1 +", "something is missing at the end", 3},
	{"(1", "something is missing at the end", 2},
	{"1)", "unexpected ')'", 1},
	{"()", "unexpected ')'", 1},
	{"1 2", "unexpected '2'", 2},
	{"a b", "unexpected 'b'", 2},
	{"1 if 2", "something is missing at the end", 6},
	{"1 else 2", "unexpected 'else'", 2},
	{"if 1 else 2", "unexpected 'if'", 0},
	{"* 2", "unexpected '*'", 0},
	{"+2", "unexpected '+'", 0},
	{"1 << 2", "unexpected '<'", 3},
	{"a >> b", "unexpected '>'", 3},
	{"a === b", "unexpected '='", 4},
	{"a = b", "unexpected '='", 2},
	{"a && b", "unexpected '&'", 3},
	{"!a", "unexpected '!'", 0},
	{"a, b", "unexpected ','", 1},
	{"min(1)", "unexpected ')'", 5},
	{"min(1, 2, 3)", "unexpected ','", 8},
	{"min 1, 2", "unexpected '1' instead of '('", 4},
	{"min()", "unexpected ')'", 4},
	{"max", "something is missing at the end: '('", 3},
	{"d_ratio(1 2)", "unexpected '2'", 10},
	{"source_count(1)", "unexpected '1' instead of name", 13},
	{"source_count(a + b)", "unexpected '+' instead of ')'", 15},
	{"has_event()", "unexpected ')' instead of name", 10},
	{"has_event(min)", "unexpected 'min' instead of name", 10},
	{"strcmp_cpuid_str(#smt_on)", "unexpected '#smt_on' instead of name", 17},
	{"#", "unknown literal '#'", 0},
	{"#smt_off", "unknown literal '#smt_off'; did you mean '#smt_on'?", 0},
	{"1 + #num_cpu", "unknown literal '#num_cpu'; did you mean '#num_cpus'?", 4},
	{"#entirely_else", "unknown literal '#entirely_else'", 0},
	{"a \\", "unexpected '\\'", 2},
	{"a ~ b", "unexpected '~'", 2},
	{"\"a\"", "unexpected '\"'", 0},
	{"1e9a b", "unexpected 'b'", 5},
	{"1e-9a", "unexpected 'a'", 4},
	{".", NULL, 0}, /* a name, as any other */
};

static void mistakes_are_named(void **state)
{
	struct arena arena = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(mistakes); i++) {
		struct err err = {0};
		const struct metric_expr *e = metric_parse(mistakes[i].text, &arena, &err);
		const char *mark;

		if (!mistakes[i].says) {
			assert_non_null(e);
			continue;
		}
		if (e)
			fail_msg("'%s' is no mistake", mistakes[i].text);
		assert_int_equal(err.code, ERR_INPUT);
		if (!strstr(err.text, mistakes[i].says))
			fail_msg("'%s': %s, instead of %s", mistakes[i].text, err.text,
				 mistakes[i].says);
		mark = strstr(err.hint, "\\___");
		if (!mark || mark - strchr(err.hint, '\n') - 1 != mistakes[i].place)
			fail_msg("'%s': the mark is at the wrong place:\n%s", mistakes[i].text,
				 err.hint);
	}
	arena_release(&arena);
}

/* A text as big as it gets, made of as many parts: n times part, then end, then n times close. */
static const struct metric_expr *repeated(size_t n, const char *part, const char *end,
					  const char *close, struct arena *arena, struct err *err)
{
	AUTO_BUF text = {0};

	for (size_t i = 0; i < n; i++)
		buf_str(&text, part);
	buf_str(&text, end);
	for (size_t i = 0; i < n; i++)
		buf_str(&text, close);
	return metric_parse(buf_text(&text), arena, err);
}

static void depth_is_bounded(void **state)
{
	struct arena arena = {0};
	struct err err = {0};
	const struct metric_expr *e;

	(void)state;
	e = repeated(METRIC_DEPTH_MOST - 1, "1+", "1", "", &arena, &err);
	assert_non_null(e);
	same("1+1+...", value_of(e), METRIC_DEPTH_MOST);
	e = repeated(METRIC_DEPTH_MOST - 1, "-", "1", "", &arena, &err);
	assert_non_null(e);
	same("---...1", value_of(e), -1);
	assert_non_null(repeated(5000, "(", "1", ")", &arena, &err));
	assert_null(repeated(METRIC_DEPTH_MOST, "1+", "1", "", &arena, &err));
	assert_non_null(strstr(err.text, "nested too deeply"));
	assert_null(repeated(METRIC_DEPTH_MOST, "-", "1", "", &arena, &err));
	assert_null(repeated(METRIC_DEPTH_MOST, "1 if 0 else ", "1", "", &arena, &err));
	assert_null(repeated(20000, "(", "1", ")", &arena, &err));
	assert_non_null(strstr(err.text, "nested too deeply"));
	assert_null(repeated(20000, "min(", "1", ",1)", &arena, &err));
	assert_null(repeated(METRIC_TEXT_MOST, "1", "1", "", &arena, &err));
	assert_non_null(strstr(err.text, "longer than 65536 bytes"));
	/* many names, each once */
	e = metric_parse("a+b+a+c+b+source_count(d)", &arena, &err);
	assert_int_equal(e->n_ids, 4);
	assert_string_equal(e->ids[0], "a");
	assert_string_equal(e->ids[3], "d");
	arena_release(&arena);
}

static char root[64];

static int make_machine(void **state)
{
	(void)state;
	snprintf(root, sizeof(root), "/tmp/test-metric-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	folder_put(root, "sys/devices/system/cpu/smt/active", "1\n");
	folder_put(root, "sys/devices/system/cpu/present", "0-5\n");
	folder_put(root, "sys/devices/system/cpu/possible", "0-7\n");
	folder_put(root, "sys/devices/system/cpu/online", "0-4\n");
	for (int c = 0; c < 6; c++) {
		static const char *const files[] = {"core_id", "die_id", "physical_package_id"};
		int numbers[] = {c / 2, 0, c / 4};

		for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
			char name[80], text[16];

			snprintf(name, sizeof(name), "sys/devices/system/cpu/cpu%d/topology/%s", c,
				 files[i]);
			snprintf(text, sizeof(text), "%d\n", numbers[i]);
			folder_put(root, name, text);
		}
	}
	folder_put(root, "sys/firmware/acpi/tables/NFIT", "");
	folder_put(root, "sys/bus/event_source/devices/armv8_pmuv3_0/caps/slots", "0x00000008\n");
	folder_put(root, "sys/bus/event_source/devices/breakpoint/type", "5\n");
	folder_put(root, "proc/cpuinfo",
		   "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) Gold 6252 CPU @ "
		   "2.10GHz\nstepping\t: 7\n");
	folder_put(root, "old/devices/system/cpu/possible", "0-1\n");
	folder_put(root, "old/devices/system/cpu/cpu0/topology/core_id", "0\n");
	folder_put(root, "old/devices/system/cpu/cpu1/topology/core_id", "0\n");
	folder_put(root, "old/bus/event_source/devices/armv8_pmuv3_0/caps/slots", "0x00000000\n");
	folder_put(root, "old/devices/system/cpu/cpu0/tsc_freq_khz", "2400000\n");
	folder_put(root, "oldproc/cpuinfo", "model name\t: AMD EPYC @ home\n");
	return 0;
}

static int remove_machine(void **state)
{
	(void)state;
	return folder_remove(root);
}

static void facts_are_read(void **state)
{
	AUTO_CHAR *sys = mem_printf("%s/sys", root), *proc = mem_printf("%s/proc", root);
	AUTO_CHAR *old = mem_printf("%s/old", root), *oldproc = mem_printf("%s/oldproc", root);
	static const struct {
		enum fact fact;
		uint64_t value, old; /* of old: UINT64_MAX: not known */
	} rows[] = {
		{FACT_HAS_PMEM, 1, 0},
		{FACT_NUM_CORES, 3, 1},
		{FACT_NUM_CPUS, 6, UINT64_MAX},
		{FACT_NUM_CPUS_ONLINE, 5, UINT64_MAX},
		{FACT_NUM_DIES, 2, 1},
		{FACT_NUM_PACKAGES, 2, 1},
		{FACT_SLOTS, 8, UINT64_MAX},
		{FACT_SMT_ON, 1, 1},
		{FACT_SYSTEM_TSC_FREQ, 2100000000, 2400000000},
	};
	uint64_t v;

	(void)state;
	assert_int_equal(ARRAY_SIZE(rows), FACT_COUNT);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *name = fact_name(rows[i].fact);

		if (!fact_read(sys, proc, rows[i].fact, &v) || v != rows[i].value)
			fail_msg("%s: %llu", name, (unsigned long long)v);
		if (fact_read(old, oldproc, rows[i].fact, &v) != (rows[i].old != UINT64_MAX) ||
		    (rows[i].old != UINT64_MAX && v != rows[i].old))
			fail_msg("old machine: %s: %llu", name, (unsigned long long)v);
		assert_int_equal(fact_find(name, strlen(name)), rows[i].fact);
		fact_read("/nonexistent", "/nonexistent", rows[i].fact, &v);
	}
	assert_false(fact_read("/nonexistent", oldproc, FACT_SYSTEM_TSC_FREQ, &v));
	assert_int_equal(fact_find("NUM_CPUS", 8), FACT_NUM_CPUS);
	assert_int_equal(fact_find("num_cpusx", 9), FACT_COUNT);
}

static void cores_are_whole_or_not(void **state)
{
	AUTO_CHAR *sys = mem_printf("%s/sys", root);
	static const struct {
		int cpus[4];
		size_t n;
		bool whole;
	} rows[] =
		{
			{{0}, 0, true},	    {{0, 1}, 2, true},	     {{0}, 1, false},
			{{0, 2}, 2, false}, {{3, 0, 1, 2}, 4, true}, {{0, 1, 2}, 3, false},
			{{4}, 1, true}, /* the other thread is offline */
			{{99}, 1, true},
		};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (fact_core_wide(sys, rows[i].cpus, rows[i].n) != rows[i].whole)
			fail_msg("row %zu", i);
}

/* What is left on the machine above, which has the event "here": names, then the value. */
static const struct {
	const char *text, *needs;
	double value;
} folded[] = {
	{"a + b", "a b", 11},
	{"2 * 3", "", 6},
	{"#smt_on", "", 1},
	{"#SMT_on", "", 1},
	{"#num_cpus", "", 6},
	{"#num_cpus_online", "", 5},
	{"#num_cores", "", 3},
	{"#num_dies", "", 2},
	{"#num_packages", "", 2},
	{"#slots", "", 8},
	{"#has_pmem", "", 1},
	{"#system_tsc_freq / 1e9", "", 2.1},
	{"#target_cpu", "", 1},
	{"#core_wide", "", 0},
	{"#num_cores / #num_packages", "", 1.5},
	{"a if #smt_on else b", "a", 8},
	{"a if #core_wide else b", "b", 3},
	{"a if 1 - #smt_on else b", "b", 3},
	{"a if has_event(here) else b", "a", 8},
	{"a if has_event(gone) else b", "b", 3},
	{"a if has_event(gone) | has_event(here) else b", "a", 8},
	{"a if has_event(gone) & has_event(here) else b", "b", 3},
	{"a if has_event(cpu@here\\=1@) else b", "b", 3},
	{"a if 0 & cycles else b", "b", 3},
	{"a if 1 | cycles else b", "a", 8},
	{"a if cycles else b", "a cycles b", 8},
	{"#smt_on * a", "a", 8},
	{"0 * a + b", "a b", 3},
	{"d_ratio(a, 0)", "", 0},
	{"d_ratio(a, #core_wide)", "", 0},
	{"a / #core_wide", "", NAN},
	{"min(#num_cpus, 4)", "", 4},
	{"max(a, #num_cpus)", "a", 8},
	{"-#num_cpus + a", "a", 2},
	{"nan & #core_wide", "", 0},
	{"nan | #num_cpus", "", 6},
	{"a | 0.5", "a", 8},
	{"a & 0.5", "", 0},
	{"source_count(b) * #num_cores", "b", 6},
	{"(a if #smt_on else cycles) / (b if #smt_on else cycles)", "a b", 8.0 / 3},
	{"a if #smt_on else b if cycles else instructions", "a", 8},
	{"strcmp_cpuid_str(GenuineIntel\\-6\\-55\\-7)", "", 1},
	{"strcmp_cpuid_str(GenuineIntel\\-6\\-55)", "", 1},
	{"strcmp_cpuid_str(GenuineIntel\\-6\\-5)", "", 0},
	{"strcmp_cpuid_str(GenuineIntel\\-6\\-5.\\-7)", "", 1},
	{"strcmp_cpuid_str(GenuineIntel\\-6\\-55\\-7\\-1)", "", 0},
	{"strcmp_cpuid_str(AuthenticAMD\\-25)", "", 0},
	{"strcmp_cpuid_str(0x410fd490)", "", 0},
};

static bool has_event(void *ctx, const char *event)
{
	return !strcmp(event, ctx);
}

static void texts_are_folded(void **state)
{
	AUTO_CHAR *sys = mem_printf("%s/sys", root), *proc = mem_printf("%s/proc", root);
	struct metric_facts facts = {sys, proc, "GenuineIntel-6-55-7", true, false};
	char here[] = "here";
	struct arena arena = {0};
	struct err err = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(folded); i++) {
		const struct metric_expr *e = metric_parse(folded[i].text, &arena, &err);
		AUTO_BUF needs = {0};

		if (!e)
			fail_msg("%s", err.text);
		e = metric_fold(e, &facts, has_event, here, &arena);
		for (uint32_t k = 0; k < e->n_ids; k++)
			buf_printf(&needs, "%s%s", k ? " " : "", e->ids[k]);
		if (strcmp(buf_text(&needs), folded[i].needs))
			fail_msg("'%s' needs '%s' instead of '%s'", folded[i].text,
				 buf_text(&needs), folded[i].needs);
		same(folded[i].text, value_of(e), folded[i].value);
	}
	arena_release(&arena);
}

static void arm_parts_are_told_apart(void **state)
{
	static const struct {
		const char *cpuid, *pattern;
		double is;
	} rows[] = {
		{"0x00000000410fd490", "0x410fd490", 1}, {"0x410fd493", "0x410fd490", 1},
		{"0x411fd490", "0x410fd493", 1},	 {"0x410fd490", "0x410fd493", 0},
		{"0x410fd0c0", "0x410fd490", 0},	 {"0x420fd490", "0x410fd490", 0},
	};
	struct arena arena = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *text = arena_printf(&arena, "strcmp_cpuid_str(%s)", rows[i].pattern);
		struct metric_facts facts = {.cpuid = rows[i].cpuid};
		const struct metric_expr *e = metric_parse(text, &arena, NULL);

		e = metric_fold(e, &facts, has_event, NULL, &arena);
		same(text, metric_eval(e, NULL, NULL), rows[i].is);
	}
	arena_release(&arena);
}

static void facts_may_be_unknown(void **state)
{
	struct metric_facts facts = {0};
	struct arena arena = {0};
	const struct metric_expr *e;

	(void)state;
	e = metric_parse("#num_cpus if #smt_on else 1", &arena, NULL);
	e = metric_fold(e, &facts, has_event, NULL, &arena);
	same("#num_cpus", metric_eval(e, NULL, NULL), NAN);
	arena_release(&arena);
}

static void scales_have_units(void **state)
{
	static const struct {
		const char *text;
		double scale;
		const char *unit;
	} rows[] = {
		{"100%", 100, "%"},
		{"1per_sec", 1, "per_sec"},
		{"1cs/sec", 1, "cs/sec"},
		{"1000M/sec", 1000, "M/sec"},
		{"6.103515625e-5MiB", 6.103515625e-5, "MiB"},
		{"1e9elements", 1e9, "elements"}, /* the power ends where its digits do */
		{"2elements", 2, "elements"},
		{"GHz", 1, "GHz"},
		{"8Bytes", 8, "Bytes"},
		{"", 1, ""},
		{"-1%", 1, "-1%"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *unit;

		same(rows[i].text, metric_scale(rows[i].text, &unit), rows[i].scale);
		assert_string_equal(unit, rows[i].unit);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_have_values),	    cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(depth_is_bounded),	    cmocka_unit_test(facts_are_read),
		cmocka_unit_test(cores_are_whole_or_not),   cmocka_unit_test(texts_are_folded),
		cmocka_unit_test(arm_parts_are_told_apart), cmocka_unit_test(facts_may_be_unknown),
		cmocka_unit_test(scales_have_units),
	};

	return cmocka_run_group_tests(tests, make_machine, remove_machine);
}
