// SPDX-License-Identifier: MIT
#include "event/listing/listing_lists.h"

#include "event/metric/metric.h"
#include "os/machine/host.h"

#include <string.h>

/* The group shown for metrics without a group. */
#define NO_GROUP "No_group"

static int listing_metrics_by_name(const void *a, const void *b)
{
	const struct metric *const *x = a, *const *y = b;
	int order = strcmp((*x)->name, (*y)->name);

	return order ? order : strcmp((*x)->pmu ? (*x)->pmu : "", (*y)->pmu ? (*y)->pmu : "");
}

static int listing_metrics_by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct found {
	VEC(const struct metric *) metrics;
	VEC(const char *) groups;
};

static const char *listing_metrics_text(struct arena *a, const char *s)
{
	return s ? arena_strdup(a, s) : NULL;
}

static void add_metric(struct listing *l, const struct metric *m)
{
	struct arena *a = &l->arena;
	struct listing_row row = {.kind = LIST_METRIC,
				  .name = arena_strdup(a, m->name),
				  .pmu = listing_metrics_text(a, m->pmu),
				  .unit = listing_metrics_text(a, m->scale_unit),
				  .desc = listing_metrics_text(a, m->brief),
				  .long_desc = listing_metrics_text(a, m->detail),
				  .expr = listing_metrics_text(a, m->expr),
				  .threshold = listing_metrics_text(a, m->threshold),
				  .groups = listing_metrics_text(a, m->groups)};

	vec_add(&l->rows, row);
}

static bool is_in(const struct metric *m, const char *group)
{
	if (!m->groups || !*m->groups)
		return !strcmp(group, NO_GROUP);
	return metric_in_group(m, group, strlen(group));
}

static void add_group(struct listing *l, const struct metric_table *t, const char *group,
		      const struct found *f, bool metrics)
{
	struct listing_row row = {.kind = LIST_METRIC_GROUP,
				  .name = arena_strdup(&l->arena, group)};

	for (size_t i = 0; i < t->groups.n; i++)
		if (!strcmp(t->groups.at[i].name, group))
			row.desc = listing_metrics_text(&l->arena, t->groups.at[i].brief);
	vec_add(&l->rows, row);
	for (size_t i = 0; metrics && i < f->metrics.n; i++)
		if (is_in(f->metrics.at[i], group))
			add_metric(l, f->metrics.at[i]);
}

void listing_add_metrics(struct listing *l, const struct event_host *host, unsigned int kinds,
			 const char *pattern)
{
	struct metric_facts facts = {.sys_root = "/sys",
				     .proc_root = "/proc",
				     .cpuid = host_cpuid_of_lists("/sys", &l->arena)};
	struct metric_table t = {0};
	struct found f = {0};
	bool no_group = false;

	metric_table_read(&t, host, &facts);
	for (size_t i = 0; i < t.metrics.n; i++) {
		vec_add(&f.metrics, &t.metrics.at[i]);
		no_group |= is_in(&t.metrics.at[i], NO_GROUP);
	}
	for (size_t i = 0; i < t.groups.n; i++)
		vec_add(&f.groups, t.groups.at[i].name);
	if (no_group)
		vec_add(&f.groups, NO_GROUP);
	if (f.metrics.n)
		qsort(f.metrics.at, f.metrics.n, sizeof(*f.metrics.at), listing_metrics_by_name);
	if (f.groups.n)
		qsort(f.groups.at, f.groups.n, sizeof(*f.groups.at), listing_metrics_by_text);
	if (kinds & LIST_METRIC_GROUP) {
		for (size_t i = 0; i < f.groups.n; i++)
			if (listing_matches(pattern, f.groups.at[i]))
				add_group(l, &t, f.groups.at[i], &f, kinds & LIST_METRIC);
	} else {
		for (size_t i = 0; i < f.metrics.n; i++)
			if (listing_matches(pattern, f.metrics.at[i]->name))
				add_metric(l, f.metrics.at[i]);
	}
	vec_release(&f.metrics);
	vec_release(&f.groups);
	metric_table_release(&t);
}
