// SPDX-License-Identifier: MIT
#include "event/metric/metric.h"

#include "event/vendor/vendor.h"

#include <string.h>

/* So that the lists of a hostile file stay lists. */
#define GROUPS_MOST 256

void metric_table_release(struct metric_table *t)
{
	vec_release(&t->metrics);
	vec_release(&t->groups);
	arena_release(&t->arena);
}

void metric_table_add(struct metric_table *t, const struct metric *m)
{
	vec_add(&t->metrics, *m);
}

/* The next name of a list, *n its length; NULL at the end. */
static const char *next_group(const char **list, size_t *n)
{
	const char *p = *list;

	if (!p)
		return NULL;
	p += strspn(p, "; ");
	*n = strcspn(p, ";");
	*list = p + *n;
	while (*n && p[*n - 1] == ' ')
		--*n;
	return *n ? p : NULL;
}

bool metric_in_group(const struct metric *m, const char *group, size_t n)
{
	const char *list = m->groups, *p;
	size_t len;

	while ((p = next_group(&list, &len)))
		if (len == n && !strncasecmp(p, group, n))
			return true;
	return false;
}

static int by_name(const void *a, const void *b)
{
	const struct metric *x = a, *y = b;
	int order = strcasecmp(x->name, y->name);

	if (!order)
		order = strcmp(x->pmu ? x->pmu : "", y->pmu ? y->pmu : "");
	return order ? order : strcmp(x->expr, y->expr);
}

static int by_group(const void *a, const void *b)
{
	const struct metric_group *x = a, *y = b;
	int order = strcasecmp(x->name, y->name);

	/* the one with a description first */
	return order ? order : (x->brief == NULL) - (y->brief == NULL);
}

void metric_table_sort(struct metric_table *t)
{
	size_t n = 0;

	if (t->metrics.n)
		qsort(t->metrics.at, t->metrics.n, sizeof(*t->metrics.at), by_name);
	for (size_t i = 0; i < t->metrics.n; i++) {
		const char *list = t->metrics.at[i].groups, *p;
		size_t len;

		for (int k = 0; k < GROUPS_MOST && (p = next_group(&list, &len)); k++)
			vec_add(&t->groups,
				(struct metric_group){.name = arena_strndup(&t->arena, p, len)});
	}
	if (t->groups.n)
		qsort(t->groups.at, t->groups.n, sizeof(*t->groups.at), by_group);
	for (size_t i = 0; i < t->groups.n; i++)
		if (!n || strcasecmp(t->groups.at[n - 1].name, t->groups.at[i].name))
			t->groups.at[n++] = t->groups.at[i];
	t->groups.n = n;
}

bool metric_has_event(void *host, const char *event)
{
	struct event_set set = {0};
	bool has = !event_parse(&set, event, host, NULL) && set.events.n;

	event_set_release(&set);
	return has;
}

/* Does it mean anything here? A condition that needs a count means no. */
static bool applies(const struct metric *m, const struct event_host *host,
		    const struct metric_facts *facts)
{
	/* what every machine's metrics are made of is no sensor, and has no name only libpfm4 knows */
	struct event_host asked = {.pmu_root = host->pmu_root, .tracefs_root = host->tracefs_root,
				   .vendor = host->vendor};
	struct arena arena = {0};
	const struct metric_expr *e;
	double v;
	bool yes = !m->only_if;

	if (!yes && (e = metric_parse(m->only_if, &arena, NULL))) {
		e = metric_fold(e, facts, metric_has_event, &asked, &arena);
		v = e->n_ids ? 0 : metric_eval(e, NULL, NULL);
		yes = v == v && v != 0;
	}
	arena_release(&arena);
	return yes;
}

static const char *without_stop(struct arena *a, const char *text)
{
	size_t n = text ? strlen(text) : 0;

	return n && text[n - 1] == '.' ? arena_strndup(a, text, n - 1) : text;
}

/* What MetricConstraint says, in the words of the kernel's lists. */
static unsigned int flags_of(const char *constraint)
{
	static const struct {
		const char *word;
		unsigned int flag;
	} words[] = {
		{"NO_GROUP_EVENTS", METRIC_NO_GROUP},
		{"NO_GROUP_EVENTS_NMI", METRIC_NO_GROUP_WATCHDOG},
		{"NO_NMI_WATCHDOG", METRIC_NO_GROUP_WATCHDOG},
		{"NO_GROUP_EVENTS_SMT", METRIC_NO_GROUP_SMT},
		{"NO_THRESHOLD_AND_NMI", METRIC_NO_THRESHOLD_WATCHDOG},
	};

	for (size_t i = 0; constraint && i < ARRAY_SIZE(words); i++)
		if (!strcmp(constraint, words[i].word))
			return words[i].flag;
	return 0;
}

static void add_vendors(struct metric_table *t, const struct vendor *v)
{
	for (size_t i = 0; i < v->metrics.n; i++) {
		const struct vendor_metric *from = &v->metrics.at[i];
		struct metric m = {.name = from->name,
				   .expr = from->expr,
				   .threshold = from->threshold,
				   .scale_unit = from->scale_unit,
				   .groups = from->groups,
				   .brief = without_stop(&t->arena, from->desc),
				   .detail = without_stop(&t->arena, from->long_desc),
				   .pmu = from->pmu,
				   .default_group = from->default_group,
				   .flags = flags_of(from->constraint)};

		metric_table_add(t, &m);
	}
	for (size_t i = 0; i < v->groups.n; i++)
		vec_add(&t->groups, (struct metric_group){.name = v->groups.at[i].name,
							  .brief = v->groups.at[i].desc});
}

static bool vendor_has(const struct vendor *v, const char *name)
{
	for (size_t i = 0; v && i < v->metrics.n; i++)
		if (!strcasecmp(v->metrics.at[i].name, name))
			return true;
	return false;
}

void metric_table_read(struct metric_table *t, const struct event_host *host,
		       const struct metric_facts *facts)
{
	for (size_t i = 0; i < metric_builtin_count; i++)
		if (!vendor_has(host->vendor, metric_builtin[i].name) &&
		    applies(&metric_builtin[i], host, facts))
			metric_table_add(t, &metric_builtin[i]);
	if (host->vendor)
		add_vendors(t, host->vendor);
	metric_table_sort(t);
}
