// SPDX-License-Identifier: MIT
#include "event/metric/metric.h"

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
	struct event_host asked = *host;
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

void metric_table_read(struct metric_table *t, const struct event_host *host,
		       const struct metric_facts *facts)
{
	for (size_t i = 0; i < metric_builtin_count; i++)
		if (applies(&metric_builtin[i], host, facts))
			metric_table_add(t, &metric_builtin[i]);
	metric_table_sort(t);
}
