// SPDX-License-Identifier: MIT
/* Converts a row of an event file to a PMU's name and terms. The members are those of Intel's files
 * and of the kernel's pmu-events. */
#include "event/vendor/json.h"

#include "base/buf.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Members that are terms of their own when they aren't 0, in the order in which perf shows them. */
static const struct {
	const char *member, *term;
} simple_terms[] = {
	{"AnyThread", "any"},		{"PortMask", "ch_mask"},
	{"CounterMask", "cmask"},	{"EdgeDetect", "edge"},
	{"FCMask", "fc_mask"},		{"Invert", "inv"},
	{"SampleAfterValue", "period"}, {"UMask", "umask"},
	{"NodeType", "type"},		{"RdWrMask", "rdwrmask"},
	{"EnAllCores", "enallcores"},	{"EnAllSlices", "enallslices"},
	{"SliceId", "sliceid"},		{"ThreadMask", "threadmask"},
};

/* Registers with further settings of an event, and the kernel's terms for them. */
static const struct {
	uint64_t msr;
	const char *term;
} msr_terms[] = {
	{0x1a6, "offcore_rsp"},
	{0x1a7, "offcore_rsp"},
	{0x3f6, "ldlat"},
	{0x3f7, "frontend"},
};

/* Events of fixed counters: files have the counter's code where the kernel expects the event's. */
static const struct fixed_event {
	const char *name;
	unsigned int event, any, umask;
} fixed_events[] = {
	{"inst_retired.any", 0xc0, 0, 0},	 {"inst_retired.any_p", 0xc0, 0, 0},
	{"cpu_clk_unhalted.thread", 0x3c, 0, 0}, {"cpu_clk_unhalted.thread_p", 0x3c, 0, 0},
	{"cpu_clk_unhalted.core", 0x3c, 0, 0},	 {"cpu_clk_unhalted.thread_any", 0x3c, 1, 0},
	{"cpu_clk_unhalted.ref", 0, 0, 3},	 {"cpu_clk_unhalted.ref_tsc", 0, 0, 3},
};

/* Units whose PMU is not called "uncore_" and the unit's name. */
static const struct {
	const char *unit, *pmu;
} units[] = {
	{"CBO", "uncore_cbox"},	 {"QPI LL", "uncore_qpi"}, {"SBO", "uncore_sbox"},
	{"UBO", "uncore_ubox"},	 {"UPI LL", "uncore_upi"}, {"iMPH-U", "uncore_arb"},
	{"CPU-M-CF", "cpum_cf"}, {"CPU-M-SF", "cpum_sf"},  {"PAI-CRYPTO", "pai_crypto"},
	{"PAI-EXT", "pai_ext"},	 {"L3PMC", "amd_l3"},	   {"DFPMC", "amd_df"},
	{"UMCPMC", "amd_umc"},	 {"ARB", "uncore_arb"},
};

/* Beginnings of PMU names that files contain unchanged. */
static const char *const pmu_starts[] = {"cpu_", "amd_",  "arm_", "armv",    "hisi_",
					 "imx8", "imx9",  "ali_", "uncore_", "cstate_",
					 "msr",	 "power", "i915"};

static const char *lower(struct arena *a, const char *text)
{
	char *s = arena_strdup(a, text);

	for (char *p = s; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return s;
}

static const char *pmu_of(struct arena *a, const char *unit)
{
	const char *name;

	if (!*unit || !strcasecmp(unit, "core") || !strcasecmp(unit, "default_core") ||
	    !strcasecmp(unit, "cpu"))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcasecmp(unit, units[i].unit))
			return units[i].pmu;
	name = lower(a, unit);
	for (size_t i = 0; i < ARRAY_SIZE(pmu_starts); i++)
		if (!strncmp(name, pmu_starts[i], strlen(pmu_starts[i])))
			return name;
	return arena_printf(a, "uncore_%s", name);
}

static void add_term(struct buf *terms, const char *name, uint64_t v)
{
	buf_printf(terms, "%s%s=", terms->n ? "," : "", name);
	buf_printf(terms, strcmp(name, "period") ? "0x%llx" : "%llu", (unsigned long long)v);
}

/* The event code. "0xB7,0xBB" are two codes for the same event: takes the first. */
static uint64_t code_of(const json_t *row)
{
	const char *const members[] = {"ConfigCode", "EventidCode", "LegacyConfigCode"};

	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (json_object_get(row, members[i]))
			return json_number(row, members[i]);
	return json_number(row, "EventCode") | json_number(row, "ExtSel") << 8;
}

static const char *code_term(const json_t *row)
{
	return json_object_get(row, "ConfigCode") || json_object_get(row, "LegacyConfigCode")
		       ? "config"
	       : json_object_get(row, "EventidCode") ? "eventid"
						     : "event";
}

static bool has_code(const json_t *row)
{
	return json_object_get(row, "EventCode") || strcmp(code_term(row), "event");
}

/* "filter_opc=0x182" is terms; "CHAFilter0[26:17]" and "na" only say where FILTER_VALUE goes. */
static void add_filter(const json_t *row, struct arena *a, struct buf *terms)
{
	const char *filter = json_text(row, "Filter", a);
	uint64_t value = json_number(row, "FILTER_VALUE");

	if (strchr(filter, '=') && !strpbrk(filter, "[]/{} \t"))
		buf_printf(terms, ",%s", filter);
	else if (value)
		add_term(terms, "config1", value);
}

static uint64_t simple_value(const json_t *row, size_t term, const struct fixed_event *fixed)
{
	const char *name = simple_terms[term].term;
	uint64_t v = json_number(row, simple_terms[term].member);

	if (!strcmp(name, "umask"))
		return fixed ? fixed->umask : v | json_number(row, "UMaskExt") << 8;
	if (!fixed || !strcmp(name, "period"))
		return v;
	return !strcmp(name, "any") ? fixed->any : 0;
}

static const char *terms_of(const json_t *row, const char *name, bool core, struct arena *a)
{
	uint64_t msr = json_number(row, "MSRIndex"), msr_value = json_number(row, "MSRValue");
	const struct fixed_event *fixed = NULL;
	AUTO_BUF terms = {0};

	for (size_t i = 0; core && i < ARRAY_SIZE(fixed_events); i++)
		if (!strcmp(name, fixed_events[i].name))
			fixed = &fixed_events[i];
	add_term(&terms, fixed ? "event" : code_term(row), fixed ? fixed->event : code_of(row));
	for (size_t i = 0; i < ARRAY_SIZE(simple_terms); i++) {
		uint64_t v = simple_value(row, i, fixed);

		if (v)
			add_term(&terms, simple_terms[i].term, v);
	}
	for (size_t i = 0; msr_value && i < ARRAY_SIZE(msr_terms); i++)
		if (msr == msr_terms[i].msr)
			add_term(&terms, msr_terms[i].term, msr_value);
	add_filter(row, a, &terms);
	return arena_strdup(a, buf_text(&terms));
}

/* A description without the full stop at its end, and with what the other members say. */
static const char *description(const json_t *row, const char *member, struct arena *a)
{
	const char *text = json_text(row, member, a), *errata = json_text(row, "Errata", a);
	uint64_t pebs = json_number(row, "PEBS");
	AUTO_BUF out = {0};
	size_t n = strlen(text);

	if (!n)
		return NULL;
	buf_add(&out, text, n - (text[n - 1] == '.'));
	errata = strcmp(errata, "0") ? errata : "";
	if (json_number(row, "Data_LA"))
		buf_printf(&out, " Supports address when precise%s", *errata ? "." : "");
	if (*errata)
		buf_printf(&out, " Spec update: %s", errata);
	if (pebs && !strcasestr(text, "precise"))
		buf_str(&out, pebs == 2 ? " (Must be precise)" : " (Precise event)");
	return arena_strdup(a, buf_text(&out));
}

/* "64Bytes", "6.1e-5MiB" */
static void scale_of(const char *text, struct vendor_event *e)
{
	char *end;
	double scale = strtod(text, &end);

	e->scale = end == text ? 1 : scale;
	e->unit = *end ? end : NULL;
}

/* Adds members that the row lacks from the row that it refers to. */
static void complete(json_t *row, const json_t *std, struct arena *a)
{
	const char *name = json_text(row, "ArchStdEvent", a);
	json_t *other = *name ? json_object_get(std, lower(a, name)) : NULL;

	if (other)
		json_object_update_missing(row, other);
}

void vendor_add_event(struct vendor *v, json_t *row, const char *topic, const char *pmu,
		      const json_t *std)
{
	struct arena *a = &v->arena;
	struct vendor_event e = {.scale = 1};

	if (!json_is_object(row))
		return;
	complete(row, std, a);
	e.name = lower(a, json_text(row, "EventName", a));
	/* skip names that the event language cannot express */
	if (!*e.name || !has_code(row) || strpbrk(e.name, " \n,/{}=:"))
		return;
	e.pmu = pmu_of(a, json_text(row, "Unit", a));
	if (!e.pmu)
		e.pmu = pmu;
	e.terms = terms_of(row, e.name, !e.pmu || !strncmp(e.pmu, "cpu_", 4), a);
	scale_of(json_text(row, "ScaleUnit", a), &e);
	e.per_package = json_number(row, "PerPkg");
	e.deprecated = json_number(row, "Deprecated");
	e.topic = json_text_or_null(row, "Topic", a);
	if (!e.topic)
		e.topic = topic;
	e.desc = description(row, "BriefDescription", a);
	e.long_desc = description(row, "PublicDescription", a);
	e.metric = json_text_or_null(row, "MetricName", a);
	e.metric_expr = json_text_or_null(row, "MetricExpr", a);
	vec_add(&v->events, e);
}
