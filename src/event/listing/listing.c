// SPDX-License-Identifier: MIT
#include "event/listing/listing_lists.h"

#include "base/options/options.h"
#include "event/names.h"
#include "os/perf.h"
#include "os/machine/pmu.h"
#include "os/tracing/tracefs.h"

#include <errno.h>
#include <fnmatch.h>
#include <unistd.h>

bool listing_opens(uint32_t type, uint64_t config)
{
	struct attr a = {
		.type = type, .size = ATTR_SIZE_6_1, .config = config, .flags = ATTR_DISABLED};
	uint8_t encoded[sizeof(a)];
	int fd;

	attr_encode(&a, encoded);
	fd = perf_open(encoded, 0, -1, -1, 0);
	if (fd == -EACCES) {
		/* without the right to count the kernel, user space alone may be countable */
		a.flags |= ATTR_EXCLUDE_KERNEL;
		attr_encode(&a, encoded);
		fd = perf_open(encoded, 0, -1, -1, 0);
	}
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static bool event_listing_matches(const char *pattern, const char *name)
{
	return !pattern || glob_match(pattern, name);
}

static int listing_by_name(const void *a, const void *b)
{
	const struct listing_row *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : strcmp(x->alias ? x->alias : "", y->alias ? y->alias : "");
}

static void sort_from(struct listing *l, size_t first, int (*compare)(const void *, const void *))
{
	if (l->rows.n > first)
		qsort(l->rows.at + first, l->rows.n - first, sizeof(*l->rows.at), compare);
}

static void add_symbolic(struct listing *l, enum listing_kind kind, uint32_t type,
			 const struct event_name *names, size_t n, const char *pattern)
{
	size_t first = l->rows.n;

	for (size_t i = 0; i < n; i++) {
		if (!event_listing_matches(pattern, names[i].name) &&
		    !(names[i].alias && event_listing_matches(pattern, names[i].alias)))
			continue;
		if (listing_opens(type, i))
			vec_add(&l->rows, (struct listing_row){.kind = kind,
							       .name = names[i].name,
							       .alias = names[i].alias});
	}
	sort_from(l, first, listing_by_name);
}

/* The whole list has only the tool events of perf 6.1: the others are shown when they are asked
 * for. */
static void add_tools(struct listing *l, bool all, const char *pattern)
{
	for (int i = 1; i < (all ? TOOL_MAX : TOOL_SYSTEM_TIME + 1); i++) {
		const char *name = event_tool_name((enum event_tool)i);

		if (event_listing_matches(pattern, name))
			vec_add(&l->rows, (struct listing_row){.kind = LIST_TOOL, .name = name});
	}
}

static void add_cache(struct listing *l, const char *pattern)
{
	size_t first = l->rows.n;
	struct buf b = {0};

	for (unsigned int i = 0; i < CACHE_KINDS * CACHE_OPS * CACHE_RESULTS; i++) {
		unsigned int cache = i / (CACHE_OPS * CACHE_RESULTS);
		unsigned int op = i / CACHE_RESULTS % CACHE_OPS, result = i % CACHE_RESULTS;
		uint64_t config = cache | op << 8 | result << 16;

		if (!cache_event_valid(cache, op))
			continue;
		buf_clear(&b);
		cache_event_name(config, &b);
		if (event_listing_matches(pattern, buf_text(&b)) &&
		    listing_opens(TYPE_HW_CACHE, config))
			vec_add(&l->rows, (struct listing_row){
						  .kind = LIST_CACHE,
						  .name = arena_strdup(&l->arena, buf_text(&b))});
	}
	buf_release(&b);
	sort_from(l, first, listing_by_name);
}

bool listing_matches(const char *pattern, const char *name)
{
	return !pattern || !fnmatch(pattern, name, FNM_CASEFOLD);
}

/* The name of a PMU's event; it includes the parameters that the user must give:
 * "cpu/event,umask=?/". */
static const char *pmu_event_name(struct listing *l, const char *pmu, const struct pmu_alias *a)
{
	const char *name = arena_printf(&l->arena, "%s/%s", pmu, a->name), *p = a->terms;

	while (*p) {
		size_t n = strcspn(p, ",");

		if (n > 2 && !memcmp(p + n - 2, "=?", 2))
			name = arena_printf(&l->arena, "%s,%.*s", name, (int)n, p);
		p += n + (p[n] == ',');
	}
	return arena_printf(&l->arena, "%s/", name);
}

static void add_pmu(struct listing *l, const char *root, const char *pmu, const char *pattern)
{
	struct names names = {0};

	pmu_alias_names(root, pmu, &l->arena, &names);
	for (size_t i = 0; i < names.n; i++) {
		struct listing_row row = {
			.kind = LIST_PMU, .pmu = pmu, .core = pmu_is_core(root, pmu)};
		struct pmu_alias a;

		if (!pmu_alias_read(root, pmu, names.at[i], &l->arena, &a))
			continue;
		row.name = pmu_event_name(l, pmu, &a);
		row.terms = a.terms;
		row.unit = a.unit;
		row.scale = a.unit ? a.scale : 0;
		if (!listing_matches(pattern, row.name) &&
		    (row.core || !listing_matches(pattern, a.name)))
			continue;
		if (row.core) {
			/* without the parameters, as perf shows events of cores */
			row.alias = arena_printf(&l->arena, "%s/%s/", pmu, a.name);
			row.name = a.name;
		}
		vec_add(&l->rows, row);
	}
	if (pmu_is_tracer(pmu) && event_listing_matches(pattern, pmu))
		vec_add(&l->rows,
			(struct listing_row){.kind = LIST_PMU,
					     .pmu = pmu,
					     .name = arena_printf(&l->arena, "%s//", pmu)});
	vec_release(&names);
}

/* Orders events with a description last, by their topics. */
static int described_last(const void *a, const void *b)
{
	const struct listing_row *x = a, *y = b;
	int order = (x->desc != NULL) - (y->desc != NULL);

	if (!order && x->topic && y->topic)
		order = strcmp(x->topic, y->topic);
	if (!order)
		order = y->core - x->core;
	return order ? order : listing_by_name(a, b);
}

static void add_pmus(struct listing *l, const struct event_host *host, unsigned int kinds,
		     const char *pattern)
{
	size_t first = l->rows.n;
	struct names pmus = {0};

	if (kinds & LIST_PMU && host->pmu_root) {
		pmu_names(host->pmu_root, &l->arena, &pmus, NULL);
		for (size_t i = 0; i < pmus.n; i++)
			add_pmu(l, host->pmu_root, pmus.at[i], pattern);
		if (host->vendor)
			listing_add_vendor(l, host, &pmus, pattern);
	}
	if (kinds & LIST_SENSOR)
		listing_add_sensors(l, host,
				    kinds == LIST_SENSOR ||
					    (pattern && strcasestr(pattern, "drm")),
				    pattern);
	vec_release(&pmus);
	sort_from(l, first, described_last);
}

static void add_tracepoints(struct listing *l, const char *root, const char *system,
			    const char *pattern)
{
	struct names systems = {0}, events = {0};
	size_t first = l->rows.n;

	tracefs_systems(root, false, &l->arena, &systems, &l->refused);
	for (size_t i = 0; i < systems.n; i++) {
		/* in "ftrace" only formats with an id are events; most are records of the
		 * tracers */
		bool own = !strcmp(systems.at[i], "ftrace");
		uint64_t id;

		if (!event_listing_matches(system, systems.at[i]))
			continue;
		vec_clear(&events);
		tracefs_events(root, systems.at[i], false, &l->arena, &events, NULL);
		for (size_t j = 0; j < events.n; j++) {
			if (!event_listing_matches(pattern, events.at[j]) ||
			    (own && tracefs_id(root, systems.at[i], events.at[j], &id, NULL)))
				continue;
			vec_add(&l->rows,
				(struct listing_row){.kind = LIST_TRACEPOINT,
						     .pmu = systems.at[i],
						     .name = arena_printf(&l->arena, "%s:%s",
									  systems.at[i],
									  events.at[j])});
		}
	}
	vec_release(&systems);
	vec_release(&events);
	sort_from(l, first, listing_by_name);
}

void listing_add(struct listing *l, const struct event_host *host, unsigned int kinds,
		 const char *system, const char *pattern)
{
	if (kinds & LIST_HARDWARE)
		add_symbolic(l, LIST_HARDWARE, TYPE_HARDWARE, hardware_events, HARDWARE_EVENTS,
			     pattern);
	if (kinds & LIST_SOFTWARE)
		add_symbolic(l, LIST_SOFTWARE, TYPE_SOFTWARE, software_events, SOFTWARE_EVENTS,
			     pattern);
	if (kinds & LIST_TOOL)
		add_tools(l, pattern || kinds == LIST_TOOL, pattern);
	if (kinds & LIST_CACHE)
		add_cache(l, pattern);
	if (kinds & (LIST_PMU | LIST_SENSOR))
		add_pmus(l, host, kinds, pattern);
	if (kinds & LIST_RAW) {
		vec_add(&l->rows, (struct listing_row){.kind = LIST_RAW, .name = "rNNN"});
		vec_add(&l->rows,
			(struct listing_row){.kind = LIST_RAW,
					     .name = "cpu/t1=v1[,t2=v2,t3 ...]/modifier"});
	}
	if (kinds & LIST_BREAKPOINT)
		vec_add(&l->rows, (struct listing_row){.kind = LIST_BREAKPOINT,
						       .name = "mem:<addr>[/len][:access]"});
	if (kinds & LIST_TRACEPOINT && host->tracefs_root)
		add_tracepoints(l, host->tracefs_root, system, pattern);
	if (kinds & LIST_PFM && host->pfm)
		listing_add_pfm(l, pattern);
	if (kinds & (LIST_METRIC | LIST_METRIC_GROUP))
		listing_add_metrics(l, host, kinds, pattern);
}

void listing_put(struct listing *l, const struct listing_row *row)
{
	vec_add(&l->rows, *row);
}

void listing_only_pmu(struct listing *l, const char *pmu)
{
	const unsigned int of_pmus = LIST_PMU | LIST_SENSOR | LIST_PFM;
	size_t n = strlen(pmu), kept = 0;

	for (size_t i = 0; i < l->rows.n; i++) {
		const struct listing_row *row = &l->rows.at[i];
		const char *name = row->pmu ? row->pmu : "";
		const char *rest = strncmp(name, pmu, n) ? "?" : name + n;

		rest += *rest == '_';
		if (!(row->kind & of_pmus) || !rest[strspn(rest, "0123456789")] ||
		    glob_match(pmu, name))
			l->rows.at[kept++] = *row;
	}
	l->rows.n = kept;
}

void listing_release(struct listing *l)
{
	vec_release(&l->rows);
	arena_release(&l->arena);
}

const char *listing_kind_text(enum listing_kind kind)
{
	switch (kind) {
	case LIST_HARDWARE:
		return "Hardware event";
	case LIST_SOFTWARE:
		return "Software event";
	case LIST_TOOL:
		return "Tool event";
	case LIST_CACHE:
		return "Hardware cache event";
	case LIST_PMU:
		return "Kernel PMU event";
	case LIST_RAW:
		return "Raw hardware event descriptor";
	case LIST_BREAKPOINT:
		return "Hardware breakpoint";
	case LIST_SENSOR:
		return "Sensor event";
	case LIST_PFM:
		return "libpfm4 event";
	case LIST_SDT:
		return "SDT event";
	case LIST_METRIC:
		return "Metric";
	case LIST_METRIC_GROUP:
		return "Metric group";
	case LIST_TRACEPOINT:
	default:
		return "Tracepoint event";
	}
}
