// SPDX-License-Identifier: MIT
#include "event/metric/select_state.h"

#include "event/listing/listing.h"
#include "event/vendor/vendor.h"
#include "os/machine/pmu.h"

#include <string.h>
#include <strings.h>

/* Bounds the groups of one metric, against hostile files. */
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
	vec_last(&t->metrics)->row = (uint32_t)t->metrics.n - 1;
}

const char *metric_next_group(const char **list, size_t *n)
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

	while ((p = metric_next_group(&list, &len)))
		if (len == n && !strncasecmp(p, group, n))
			return true;
	return false;
}

static int metric_by_name(const void *a, const void *b)
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
	return strcasecmp(x->name, y->name);
}

void metric_table_sort(struct metric_table *t)
{
	size_t n = 0;

	if (t->metrics.n)
		qsort(t->metrics.at, t->metrics.n, sizeof(*t->metrics.at), metric_by_name);
	for (size_t i = 0; i < t->metrics.n; i++) {
		const char *list = t->metrics.at[i].groups, *p;
		size_t len;

		for (int k = 0; k < GROUPS_MOST && (p = metric_next_group(&list, &len)); k++)
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

static const struct metric *find_among(const struct metric *at, size_t count, const char *name,
				       size_t *n)
{
	size_t from = 0, to = count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (strcasecmp(at[middle].name, name) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	for (to = from; to < count && !strcasecmp(at[to].name, name);)
		to++;
	*n = to - from;
	return *n ? at + from : NULL;
}

const struct metric *metric_find(const struct metric_table *t, const char *name, size_t *n)
{
	return find_among(t->metrics.at, t->metrics.n, name, n);
}

/* The flags of a constraint in vendor files. */
static unsigned int flags_of(const char *constraint)
{
	static const struct {
		const char *name;
		unsigned int flag;
	} names[] = {
		{"NO_GROUP_EVENTS", METRIC_NO_GROUP},
		{"NO_GROUP_EVENTS_NMI", METRIC_NO_GROUP_WATCHDOG},
		{"NO_NMI_WATCHDOG", METRIC_NO_GROUP_WATCHDOG},
		{"NO_GROUP_EVENTS_SMT", METRIC_NO_GROUP_SMT},
		{"NO_THRESHOLD_AND_NMI", METRIC_NO_THRESHOLD_WATCHDOG},
	};

	for (size_t i = 0; constraint && i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i].name, constraint))
			return names[i].flag;
	return 0;
}

static const char *without_stop(struct arena *a, const char *text)
{
	size_t n = text ? strlen(text) : 0;

	return n && text[n - 1] == '.' ? arena_strndup(a, text, n - 1) : text;
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
				   .no_group_in = from->no_group_in,
				   .flags = flags_of(from->constraint)};

		metric_table_add(t, &m);
	}
}

/* Adds the vendor's descriptions to the groups, which must be sorted. */
static void describe_groups(struct metric_table *t, const struct vendor *v)
{
	for (size_t i = 0; i < v->groups.n; i++) {
		struct metric_group key = {.name = v->groups.at[i].name}, *group = NULL;

		if (t->groups.n)
			group = bsearch(&key, t->groups.at, t->groups.n, sizeof(key), by_group);
		if (group)
			group->brief = v->groups.at[i].desc;
	}
}

/* True when the machine can count an event. Generic names are parsed on every machine: for these
 * the kernel is asked. */
static bool counts_here(const struct event *ev, const struct event_host *host)
{
	if (ev->attr.type != TYPE_HARDWARE && ev->attr.type != TYPE_HW_CACHE)
		return true;
	return !host->pmu_root || strcmp(host->pmu_root, PMU_ROOT) ||
	       listing_opens(ev->attr.type, ev->attr.config);
}

bool metric_has_event(void *ctx, const char *event)
{
	const struct event_host *host = ctx;
	struct event_set set = {0};
	bool has = !event_parse(&set, event, host, NULL) && set.events.n;

	for (size_t i = 0; i < set.events.n && has; i++)
		has = counts_here(set.events.at[i], host);
	event_set_release(&set);
	return has;
}

/* The PMUs of the machine's cores, which have the events of built-in metrics. */
struct cores {
	const char *root;
	struct names pmus;
	struct arena arena;
};

static void cores_read(struct cores *c, const char *root)
{
	struct names all = {0};

	c->root = root;
	if (root && !pmu_names(root, &c->arena, &all, NULL))
		for (size_t i = 0; i < all.n; i++)
			if (pmu_is_core(root, all.at[i]))
				vec_add(&c->pmus, all.at[i]);
	vec_release(&all);
}

/* Looks in sysfs: parsing a name that does not exist as an event takes longer than all the rest. */
static bool cores_have_event(void *ctx, const char *event)
{
	struct cores *c = ctx;
	const char *file = arena_printf(&c->arena, "events/%s", event);

	for (size_t i = 0; i < c->pmus.n; i++)
		if (pmu_text(c->root, c->pmus.at[i], file, &c->arena))
			return true;
	return false;
}

/* True when a built-in metric makes sense on this machine. False when its condition needs a
 * count. */
static bool applies(const struct metric *m, struct cores *cores, const struct metric_facts *facts)
{
	const struct metric_expr *e;
	double v;

	if (!m->only_if)
		return true;
	e = metric_parse(m->only_if, &cores->arena, NULL);
	if (!e)
		return false;
	e = metric_fold(e, facts, cores_have_event, cores, &cores->arena);
	v = e->n_ids ? 0 : metric_eval(e, NULL, NULL);
	return v == v && v != 0;
}

void metric_table_read(struct metric_table *t, const struct event_host *host,
		       const struct metric_facts *facts)
{
	const struct vendor *v = host->vendor;
	struct metric_known known = {0};
	struct metric_facts kept = *facts;
	struct cores cores = {0};
	size_t from_vendor;

	kept.known = &known;
	cores_read(&cores, host->pmu_root);
	if (v) {
		add_vendors(t, v);
		metric_table_sort(t);
	}
	from_vendor = t->metrics.n;
	for (size_t i = 0; i < metric_builtin_count; i++) {
		const struct metric *m = &metric_builtin[i];
		size_t n;

		/* the vendor's metrics are in front, sorted */
		find_among(t->metrics.at, from_vendor, m->name, &n);
		if (!n && applies(m, &cores, &kept))
			metric_table_add(t, m);
	}
	metric_table_sort(t);
	if (v)
		describe_groups(t, v);
	vec_release(&cores.pmus);
	arena_release(&cores.arena);
}
