// SPDX-License-Identifier: MIT
#include "event/memory.h"

#include <string.h>

/* An event of a kind of machine. In text %s is the PMU, %u the least latency. */
struct memory_row {
	enum memory_kind kind;
	const char *tag, *alias; /* alias NULL: the event exists when its PMU does */
	const char *pmu;	 /* NULL: each core PMU */
	const char *text;
};

static const struct memory_row intel[] = {
	{MEMORY_LOADS, "ldlat-loads", "mem-loads", NULL, "%s/mem-loads,ldlat=%u/P"},
	{MEMORY_STORES, "ldlat-stores", "mem-stores", NULL, "%s/mem-stores/P"},
	{.text = NULL}};
static const struct memory_row amd[] = {{MEMORY_BOTH, "mem-ldst", NULL, "ibs_op", "%s//"},
					{.text = NULL}};
static const struct memory_row amd_by_latency[] = {
	{MEMORY_BOTH, "mem-ldst", NULL, "ibs_op", "%s/ldlat=%u/"}, {.text = NULL}};
static const struct memory_row arm[] = {
	{MEMORY_LOADS, "spe-load", NULL, "arm_spe_0",
	 "%s/ts_enable=1,pa_enable=1,load_filter=1,store_filter=0,min_latency=%u/"},
	{MEMORY_STORES, "spe-store", NULL, "arm_spe_0",
	 "%s/ts_enable=1,pa_enable=1,load_filter=0,store_filter=1/"},
	{MEMORY_BOTH, "spe-ldst", NULL, "arm_spe_0",
	 "%s/ts_enable=1,pa_enable=1,load_filter=1,store_filter=1,min_latency=%u/"},
	{.text = NULL}};
static const struct memory_row power[] = {
	{MEMORY_LOADS, "ldlat-loads", "mem-loads", "cpu", "%s/mem-loads/"},
	{MEMORY_STORES, "ldlat-stores", "mem-stores", "cpu", "%s/mem-stores/"},
	{.text = NULL}};
static const struct memory_row others[] = {
	{MEMORY_LOADS, "ldlat-loads", "mem-loads", "cpu", "%s/mem-loads,ldlat=%u/P"},
	{MEMORY_STORES, "ldlat-stores", "mem-stores", "cpu", "%s/mem-stores/P"},
	{.text = NULL}};

/* On CPUs that have this event, loads are sampled only in a group that it leads. */
#define AUX "mem-loads-aux"

/* The latencies that IBS can filter by (the kernel's driver refuses others), cycles. */
enum { IBS_LATENCY_LEAST = 128, IBS_LATENCY_MOST = 2048 };

static bool ibs_has_latency(const struct memory_machine *m, struct arena *arena)
{
	const char *text = pmu_text(m->pmu_root, "ibs_op", "caps/ldlat", arena);

	return text && text[0] == '1';
}

/* The events of an AMD machine. NULL with *err: it cannot filter by this latency. */
static const struct memory_row *memory_rows_of_amd(const struct memory_machine *m,
						   unsigned int latency, struct arena *arena,
						   struct err *err)
{
	if (latency == MEMORY_LATENCY_USUAL || !ibs_has_latency(m, arena))
		return amd;
	if (latency >= IBS_LATENCY_LEAST && latency <= IBS_LATENCY_MOST)
		return amd_by_latency;
	err_set(err, ERR_USAGE, "bad latency: '%u' (this processor filters by %d to %d cycles)",
		latency, IBS_LATENCY_LEAST, IBS_LATENCY_MOST);
	return NULL;
}

static const struct memory_row *memory_rows_of(const struct memory_machine *m, unsigned int latency,
					       struct arena *arena, struct err *err)
{
	if (!strcmp(m->arch, "x86_64") || (m->arch[0] == 'i' && !strcmp(m->arch + 2, "86")))
		return m->is_amd ? memory_rows_of_amd(m, latency, arena, err) : intel;
	if (!strcmp(m->arch, "aarch64"))
		return arm;
	return strncmp(m->arch, "ppc", 3) ? others : power;
}

static bool has_alias(const struct memory_machine *m, const char *pmu, const char *alias,
		      struct arena *arena)
{
	struct pmu_alias found;

	return pmu_alias_read(m->pmu_root, pmu, alias, arena, &found);
}

static const char *memory_text_of(const struct memory_row *row, const char *pmu,
				  unsigned int latency, bool aux, struct arena *arena)
{
	const char *at = strstr(row->text, "%u");
	AUTO_BUF text = {0};

	if (aux) {
		buf_printf(&text, "{%s/" AUX "/,%s/mem-loads,ldlat=%u/}:P", pmu, pmu, latency);
		return arena_strdup(arena, buf_text(&text));
	}
	buf_str(&text, pmu);
	buf_add(&text, row->text + 2, at ? (size_t)(at - row->text) - 2 : strlen(row->text + 2));
	if (at)
		buf_printf(&text, "%u%s", latency, at + 2);
	return arena_strdup(arena, buf_text(&text));
}

static void add_of_pmu(struct memory_event *e, const struct memory_row *row,
		       const struct memory_machine *m, const char *pmu, unsigned int latency,
		       struct arena *arena)
{
	struct pmu found = {0};
	bool is_there = row->alias ? has_alias(m, pmu, row->alias, arena)
				   : pmu_read(m->pmu_root, pmu, arena, &found);
	bool aux = row->kind == MEMORY_LOADS && row->alias && strstr(row->text, "ldlat") &&
		   has_alias(m, pmu, AUX, arena);

	if (!row->alias)
		pmu_release(&found);
	if (is_there)
		vec_add(&e->texts, memory_text_of(row, pmu, latency, aux, arena));
}

/* Lists the core PMUs; "cpu" when none is found. */
static void list_cores(const struct memory_machine *m, struct arena *arena, struct names *out)
{
	struct names all = {0};
	struct err err = {0};

	if (!pmu_names(m->pmu_root, arena, &all, &err))
		for (size_t i = 0; i < all.n; i++)
			if (pmu_is_core(m->pmu_root, all.at[i]))
				vec_add(out, all.at[i]);
	vec_release(&all);
}

int memory_events_find(struct memory_event events[MEMORY_KINDS], const struct memory_machine *m,
		       unsigned int min_latency, struct arena *arena, struct err *err)
{
	const struct memory_row *rows = memory_rows_of(m, min_latency, arena, err);
	struct names cores = {0};
	size_t n = 0;

	memset(events, 0, MEMORY_KINDS * sizeof(*events));
	if (!rows)
		return -1;
	if (min_latency == MEMORY_LATENCY_USUAL)
		min_latency = 30;
	list_cores(m, arena, &cores);
	for (const struct memory_row *row = rows; row->text; row++) {
		struct memory_event *e = &events[row->kind];

		e->tag = row->tag;
		e->by_latency = strstr(row->text, "%u") != NULL;
		e->wanted =
			memory_text_of(row, row->pmu ? row->pmu : "cpu", min_latency, false, arena);
		if (row->pmu)
			add_of_pmu(e, row, m, row->pmu, min_latency, arena);
		for (size_t i = 0; !row->pmu && i < cores.n; i++)
			add_of_pmu(e, row, m, cores.at[i], min_latency, arena);
		n += e->texts.n;
	}
	vec_release(&cores);
	return n ? 0 : err_set(err, ERR_UNSUPPORTED, "failed: memory events not supported");
}

void memory_events_release(struct memory_event events[MEMORY_KINDS])
{
	for (int i = 0; i < MEMORY_KINDS; i++)
		vec_release(&events[i].texts);
}
