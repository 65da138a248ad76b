// SPDX-License-Identifier: MIT
/* The events to count: those of the options, or perf's default ones. */
#include "cmd/stat/stat_opts.h"

#include "os/machine/cpus.h"
#include "os/machine/host.h"
#include "os/machine/pmu.h"

#include <stdio.h>
#include <string.h>

static const char *const details[] = {
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	("L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,"
	 "iTLB-load-misses"),
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};

static int usual(const struct stat_plan *plan, const struct event_host *host,
		 struct event_set *events, struct err *err)
{
	const struct target_options *t = &plan->run.target;
	unsigned int levels;
	const char *topdown;
	char text[512];

	snprintf(text, sizeof(text),
		 "%s,context-switches,cpu-migrations,page-faults,cycles%s%s,instructions,branches,"
		 "branch-misses",
		 t->system_wide || t->cpus ? "cpu-clock" : "task-clock",
		 stat_core_has("stalled-cycles-frontend") ? ",stalled-cycles-frontend" : "",
		 stat_core_has("stalled-cycles-backend") ? ",stalled-cycles-backend" : "");
	if (event_parse(events, text, host, err))
		return -1;
	topdown = stat_topdown_metrics(&levels);
	return topdown ? event_parse(events, topdown, host, err) : 0;
}

/* -g: puts all events into one group. */
static void one_group(struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++) {
		events->events.at[i]->leader = 0;
		events->events.at[i]->members = 1;
	}
	if (events->events.n)
		events->events.at[0]->members = (uint32_t)events->events.n;
}

/* True when all hardware threads of each counted core are counted. */
static bool whole_cores(const struct stat_plan *plan)
{
	const struct target_options *t = &plan->run.target;
	struct cpu_list cpus = {0};
	bool whole = false;

	if (t->cpus && !cpus_parse(t->cpus, &cpus))
		whole = fact_core_wide("/sys", cpus.at, cpus.n);
	else if (t->system_wide)
		whole = fact_core_wide("/sys", NULL, 0);
	vec_release(&cpus);
	return whole;
}

static int metrics(const struct stat_opts *o, struct stat_plan *plan, struct stat_wanted *w,
		   struct err *err)
{
	const struct target_options *t = &plan->run.target;
	struct metric_known known = {0};
	struct metric_facts facts = {
		.sys_root = "/sys", .proc_root = "/proc",
		.cpuid = host_cpuid_of_lists("/sys", &w->source.arena),
		.target_cpu = t->system_wide || t->cpus, .core_wide = whole_cores(plan),
		.known = &known};
	unsigned int flags = (o->no_metric_group ? METRIC_SELECT_NO_GROUP : 0) |
			     (o->no_metric_merge ? METRIC_SELECT_NO_MERGE : 0) |
			     (o->no_metric_threshold ? METRIC_SELECT_NO_THRESHOLD : 0);

	if (!o->metrics.n)
		return 0;
	metric_table_read(&w->table, &w->source.host, &facts);
	for (size_t i = 0; i < o->metrics.n; i++)
		if (metric_select(&w->metrics, &w->events, o->metrics.at[i], flags, &w->table,
				  &w->source.host, &facts, err))
			return -1;
	for (size_t i = 0; o->verbose && plan->run.tell && i < w->metrics.skipped.n; i++) {
		const struct metric_skipped *s = &w->metrics.skipped.at[i];

		fprintf(stderr, "no metric %s: %s\n", s->metric->name, s->why);
	}
	plan->rows.metrics = &w->metrics;
	return 0;
}

static int stat_events_refuse(const struct event_set *events, struct err *err)
{
	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *ev = events->events.at[i];

		if (ev->retire_latency)
			return err_set(err, ERR_UNSUPPORTED,
				       "'%s' is of retirement latencies (TPEBS), which is not "
				       "possible here", ev->name);
		if (ev->sample_filter)
			return err_set(
				err, ERR_USAGE,
				"--filter is over samples, of which a count of '%s' has none",
				ev->name);
	}
	return 0;
}

/* --cputype: limits events to the core PMU of this type. "core" is the PMU cpu_core. */
static int kind_of_cores(const char *kind, struct event_source *source, struct err *err)
{
	const char *name = strncmp(kind, "cpu_", 4) ? arena_printf(&source->arena, "cpu_%s", kind)
						    : kind;
	struct arena arena = {0};
	struct pmu pmu;
	bool found = !strchr(name, '/') && pmu_read(PMU_ROOT, name, &arena, &pmu);

	if (found)
		pmu_release(&pmu);
	arena_release(&arena);
	if (!found)
		return err_set(err, ERR_USAGE, "--cputype %s is not supported!", kind);
	source->host.cores = name;
	return 0;
}

/* Counts the events named by stat.bpf-counter-events with BPF programs. */
static void by_bpf(struct event_set *events, const struct config *config)
{
	const char *names = config_find(config, "stat.bpf-counter-events");

	for (const char *p = names; p && *p;) {
		size_t n = strcspn(p, ",");

		for (size_t i = 0; n && i < events->events.n; i++) {
			struct event *ev = events->events.at[i];

			if (strlen(ev->name) == n && !memcmp(ev->name, p, n))
				ev->bpf_counter = true;
		}
		p += n + (p[n] == ',');
	}
}

int stat_events(const struct stat_opts *o, const struct env *env, struct stat_plan *plan,
		struct stat_wanted *w, struct err *err)
{
	struct event_host *host = &w->source.host;
	struct event_set *events = &w->events;

	if (event_source_open(&w->source, o->events_dir, env->config, err))
		return -1;
	if (o->iostat)
		return stat_ports(o, plan, w, err);
	if ((o->cputype && kind_of_cores(o->cputype, &w->source, err)) ||
	    events_select(&o->selects, host, events, err))
		return -1;
	if (o->group)
		one_group(events);
	if (metrics(o, plan, w, err) || stat_special(o, plan, host, events, err))
		return -1;
	if (!events->events.n && !o->nothing && usual(plan, host, events, err))
		return -1;
	for (int i = 0; i < o->detailed && (size_t)i < ARRAY_SIZE(details); i++)
		if (event_parse(events, details[i], host, err))
			return -1;
	if (env->guests)
		event_set_guests(events, env->guests->without_host);
	by_bpf(events, env->config);
	if (stat_events_refuse(events, err) || events_set_cgroups(&o->selects, events, err))
		return -1;
	if (!o->each_cgroup)
		return 0;
	plan->rows.each_cgroup = (uint32_t)events->events.n;
	return stat_each_cgroup(o->each_cgroup, events, err);
}

void stat_wanted_release(struct stat_wanted *w)
{
	metric_selection_release(&w->metrics);
	metric_table_release(&w->table);
	event_set_release(&w->events);
	io_ports_release(&w->ports);
	event_source_release(&w->source);
}
