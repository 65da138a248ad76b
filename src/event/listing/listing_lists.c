// SPDX-License-Identifier: MIT
#include "event/listing/listing_lists.h"

#include "event/parse/parse_state.h"
#include "event/pfm.h"
#include "event/vendor/vendor.h"
#include "os/sensor/drm.h"
#include "os/sensor/hwmon.h"

#include <string.h>

/* "DESCRIPTION. Unit: PMU" */
static const char *with_unit(struct arena *a, const char *desc, const char *pmu)
{
	size_t n = strlen(desc);

	while (n && desc[n - 1] == '.')
		n--;
	return arena_printf(a, "%.*s. Unit: %s", (int)n, desc, pmu);
}

/* The first of the machine's PMUs that has the event, or NULL. */
static const char *pmu_for(const struct vendor_event *e, const struct names *pmus,
			   const char *cores)
{
	if (!e->pmu)
		return cores;
	for (size_t i = 0; i < pmus->n; i++)
		if (parse_pmu_is(pmus->at[i], e->pmu))
			return pmus->at[i];
	return NULL;
}

void listing_add_vendor(struct listing *l, const struct event_host *host, const struct names *pmus,
			const char *pattern)
{
	const char *cores = NULL;

	for (size_t i = 0; i < pmus->n && !cores; i++)
		if (pmu_is_core(host->pmu_root, pmus->at[i]))
			cores = pmus->at[i];
	for (size_t i = 0; i < host->vendor->events.n; i++) {
		const struct vendor_event *e = &host->vendor->events.at[i];
		struct listing_row row = {.kind = LIST_PMU, .name = e->name};

		if (e->deprecated && !l->deprecated)
			continue;
		if (!listing_matches(pattern, e->name) && !listing_matches(pattern, e->topic))
			continue;
		row.pmu = pmu_for(e, pmus, cores);
		if (!row.pmu)
			continue;
		row.core = !e->pmu || !strncmp(e->pmu, "cpu_", 4);
		row.terms = e->terms;
		row.unit = e->unit;
		row.scale = e->unit ? e->scale : 0;
		row.topic = e->topic;
		row.deprecated = e->deprecated;
		row.metric = e->metric;
		row.expr = e->metric_expr;
		row.desc = e->desc;
		row.long_desc = e->long_desc;
		if (e->pmu && row.desc)
			row.desc = with_unit(&l->arena, row.desc, e->pmu);
		if (e->pmu && row.long_desc)
			row.long_desc = with_unit(&l->arena, row.long_desc, e->pmu);
		vec_add(&l->rows, row);
	}
}

static void add_hwmon(struct listing *l, const char *root, const char *pattern)
{
	struct arena *a = &l->arena;
	struct hwmon h;

	hwmon_read(&h, root, l->at_length);
	for (size_t i = 0; i < h.sensors.n; i++) {
		const struct hwmon_sensor *s = &h.sensors.at[i];
		struct listing_row row = {.kind = LIST_SENSOR, .topic = "hwmon", .scale = s->scale};

		if (!listing_matches(pattern, s->name) && !listing_matches(pattern, s->pmu) &&
		    !(s->label_name && listing_matches(pattern, s->label_name)))
			continue;
		row.pmu = arena_strdup(a, s->pmu);
		row.name = arena_strdup(a, s->label_name ? s->label_name : s->name);
		row.alias = s->label_name ? arena_strdup(a, s->name) : NULL;
		row.unit = arena_strdup(a, s->unit);
		row.desc = with_unit(a, s->about, s->pmu);
		vec_add(&l->rows, row);
	}
	hwmon_release(&h);
}

static void add_drm(struct listing *l, const struct event_host *host, const char *pattern)
{
	struct arena *a = &l->arena;
	struct drm d;

	drm_read(&d, host->drm_root, host->proc_root);
	for (size_t i = 0; i < d.keys.n; i++) {
		const struct drm_key *k = &d.keys.at[i];
		struct listing_row row = {.kind = LIST_SENSOR, .topic = "drm", .scale = 1};

		if (!listing_matches(pattern, k->name) && !listing_matches(pattern, k->pmu))
			continue;
		row.pmu = arena_strdup(a, k->pmu);
		row.name = arena_strdup(a, k->name);
		row.unit = arena_strdup(a, k->unit);
		row.desc = with_unit(a, k->about, k->pmu);
		vec_add(&l->rows, row);
	}
	drm_release(&d);
}

void listing_add_sensors(struct listing *l, const struct event_host *host, bool gpus,
			 const char *pattern)
{
	if (host->hwmon_root)
		add_hwmon(l, host->hwmon_root, pattern);
	if (gpus && host->drm_root && host->proc_root)
		add_drm(l, host, pattern);
}

void listing_add_pfm(struct listing *l, const char *pattern)
{
	AUTO(pfm) *pfm = pfm_open(NULL);
	struct pfm_names names = {0};
	struct arena *a = &l->arena;

	if (!pfm)
		return;
	pfm_list(pfm, &names);
	for (size_t i = 0; i < names.n; i++) {
		const struct pfm_name *n = &names.at[i];
		struct listing_row row = {.kind = LIST_PFM};

		row.name = arena_printf(a, "%s::%s", n->pmu, n->name);
		if (!listing_matches(pattern, row.name))
			continue;
		row.pmu = row.topic = arena_strdup(a, n->pmu);
		row.alias = n->equiv ? arena_strdup(a, n->equiv) : NULL;
		row.desc = n->desc ? arena_strdup(a, n->desc) : NULL;
		vec_add(&l->rows, row);
	}
	pfm_names_release(&names);
}
