// SPDX-License-Identifier: MIT
/* What is counted: what was asked for, or what perf counts when nothing was. */
#include "cmd/stat/stat_opts.h"

#include "cmd/options/opts_events.h"
#include "os/machine/pmu.h"

#include <stdio.h>
#include <string.h>

static const char *const details[] = {
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	"L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,"
	"iTLB-load-misses",
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};

#define TOPDOWN_1 "{slots,topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound}"
#define TOPDOWN_2                                                                                  \
	"{slots,topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound,"              \
	"topdown-heavy-ops,topdown-br-mispredict,topdown-fetch-lat,topdown-mem-bound}"

/* Does the PMU of this name show the event in sysfs? */
static bool has(const char *name)
{
	struct arena arena = {0};
	struct pmu_alias alias;
	bool found = pmu_alias_read(PMU_ROOT, "cpu", name, &arena, &alias);

	arena_release(&arena);
	return found;
}

/* CPUs that measure where their slots go without the help of other counters. */
static const char *topdown_metrics(void)
{
	if (!has("slots") || !has("topdown-retiring"))
		return NULL;
	return has("topdown-heavy-ops") ? TOPDOWN_2 : TOPDOWN_1;
}

static int usual(const struct stat_plan *plan, const struct event_host *host,
		 struct event_set *events, struct err *err)
{
	const struct target_options *t = &plan->run.target;
	const char *topdown;
	char text[512];

	snprintf(text, sizeof(text),
		 "%s,context-switches,cpu-migrations,page-faults,cycles%s%s,instructions,branches,"
		 "branch-misses",
		 t->system_wide || t->cpus ? "cpu-clock" : "task-clock",
		 has("stalled-cycles-frontend") ? ",stalled-cycles-frontend" : "",
		 has("stalled-cycles-backend") ? ",stalled-cycles-backend" : "");
	if (event_parse(events, text, host, err))
		return -1;
	topdown = topdown_metrics();
	return topdown ? event_parse(events, topdown, host, err) : 0;
}

/* -g: everything that can be counted at once, is. */
static void one_group(struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++) {
		events->events.at[i]->leader = 0;
		events->events.at[i]->members = 1;
	}
	if (events->events.n)
		events->events.at[0]->members = (uint32_t)events->events.n;
}

int stat_events(const struct stat_opts *o, const struct env *env, const struct stat_plan *plan,
		struct event_set *events, struct err *err)
{
	struct event_source source;
	int got = event_source_open(&source, o->events_dir, env->config, err);

	if (!got)
		got = events_select(&o->selects, &source.host, events, err);
	if (!got && o->group)
		one_group(events);
	if (!got && !events->events.n && !o->nothing)
		got = usual(plan, &source.host, events, err);
	for (int i = 0; i < o->detailed && !got && (size_t)i < ARRAY_SIZE(details); i++)
		got = event_parse(events, details[i], &source.host, err);
	if (!got)
		got = events_set_cgroups(&o->selects, events, err);
	if (!got && o->each_cgroup)
		got = stat_each_cgroup(o->each_cgroup, events, err);
	event_source_release(&source);
	return got;
}
