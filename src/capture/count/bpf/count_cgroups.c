// SPDX-License-Identifier: MIT
/*
 * Counting for control groups with one set of counters on each CPU (--for-each-cgroup with
 * --bpf-counters): the same events for many groups are opened once.
 */
#include "capture/count/count.h"

#include "capture/open/open.h"
#include "os/bpf/bpf.h"
#include "os/bpf/cgroups.h"
#include "os/machine/cgroup.h"
#include "os/machine/cpus.h"
#include "os/perf.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define CGROUP_SWITCHES 11 /* PERF_COUNT_SW_CGROUP_SWITCHES */

struct group_event {
	struct event *ev;
	size_t group, counter;
};

struct group_counts {
	struct bpf_cgroups *groups;
	const struct count_options *opts;
	const struct target *target;
	VEC(struct group_event) events;
	VEC(const char *) names; /* of groups */
	VEC(uint64_t) ids;
	VEC(const struct event *) counters; /* the first event of each kind */
	VEC(int) switches;		    /* descriptors of the events that run the program */
	struct open_trace trace;
};

/* The attribute that is opened for an event; the same for all its groups. */
static struct attr attr_of(const struct event *ev)
{
	struct attr a = ev->attr;

	a.flags &= ~(ATTR_INHERIT | ATTR_DISABLED | ATTR_ENABLE_ON_EXEC);
	a.sample_type = 0;
	a.read_format = READ_TOTAL_TIME_ENABLED | READ_TOTAL_TIME_RUNNING;
	return a;
}

static bool same_counter(const struct event *a, const struct event *b)
{
	struct attr x = attr_of(a), y = attr_of(b);
	bool cpus = a->cpus == b->cpus || (a->cpus && b->cpus && !strcmp(a->cpus, b->cpus));

	return cpus && !memcmp(&x, &y, sizeof(x));
}

static int group_of(struct group_counts *c, const char *name, size_t *at, struct err *err)
{
	uint64_t id;

	for (*at = 0; *at < c->names.n; ++*at)
		if (!strcmp(c->names.at[*at], name))
			return 0;
	id = cgroup_id(c->opts->sys_root, name);
	if (!id)
		return err_sys(err, errno, "cannot count for the control group '%s'", name);
	vec_add(&c->names, name);
	vec_add(&c->ids, id);
	return 0;
}

static bool is_lacking(const struct group_counts *c, const struct event *ev)
{
	struct attr a = attr_of(ev);
	int fd = perf_open(&a, -1, c->target->cpus.at[0], -1, 0);

	if (fd >= 0)
		close(fd);
	return fd == -ENOENT || fd == -ENODEV || fd == -ENXIO || fd == -EOPNOTSUPP;
}

static int count_cgroups_collect(struct group_counts *c, struct event_set *events,
				 const bool *taken, struct err *err)
{
	for (size_t i = 0; i < events->events.n; i++) {
		struct group_event e = {.ev = events->events.at[i]};

		if (taken[i] || !e.ev->cgroup || !(c->opts->bpf_counters || e.ev->bpf_counter) ||
		    e.ev->filter || e.ev->tool != TOOL_NONE)
			continue;
		counting_configure(e.ev, c->opts);
		if (is_lacking(c, e.ev))
			continue;
		if (group_of(c, e.ev->cgroup, &e.group, err))
			return -1;
		while (e.counter < c->counters.n && !same_counter(c->counters.at[e.counter], e.ev))
			e.counter++;
		if (e.counter == c->counters.n)
			vec_add(&c->counters, e.ev);
		vec_add(&c->events, e);
	}
	if (c->counters.n <= BPF_CGROUPS_COUNTERS)
		return 0;
	return err_set(err, ERR_USAGE, "at most %d events can be counted for control groups by BPF",
		       BPF_CGROUPS_COUNTERS);
}

static int count_cgroups_open_counter(struct group_counts *c, size_t counter,
				      const struct cpu_list *cpus)
{
	const struct event *ev = c->counters.at[counter];
	struct attr a = attr_of(ev);
	struct cpu_list only = {0};
	AUTO_FD events = bpf_events_new();
	int got = MIN(events, 0);

	if (ev->cpus)
		cpus_parse(ev->cpus, &only);
	for (size_t i = 0; i < cpus->n && !got; i++) {
		AUTO_FD fd = -1;

		if (only.n && !cpus_has(&only, cpus->at[i]))
			continue;
		fd = trace_open(&c->trace, ev, &a, -1, cpus->at[i], -1, 0);
		got = fd < 0 ? fd : bpf_events_put(events, cpus->at[i], fd);
	}
	vec_release(&only);
	return got ? got : bpf_cgroups_counter(c->groups, counter, events);
}

/* Opens and attaches the switch events after the counters. Counts of the switch itself are then
 * made before the program reads the counters. */
static int watch_switches(struct group_counts *c, const struct cpu_list *cpus)
{
	struct event own = {.name = "cgroup-switches"};
	struct attr a = {.type = TYPE_SOFTWARE,
			 .size = ATTR_SIZE_6_1,
			 .config = CGROUP_SWITCHES,
			 .sample_period = 1};

	for (size_t i = 0; i < cpus->n; i++) {
		int fd = trace_open(&c->trace, &own, &a, -1, cpus->at[i], -1, 0), got;

		if (fd < 0)
			return fd;
		vec_add(&c->switches, fd);
		got = bpf_cgroups_attach(c->groups, fd);
		if (got)
			return got;
	}
	return 0;
}

static int count_cgroups_start(struct group_counts *c, struct err *err)
{
	struct bpf_cgroups_options how = {
		.counters = c->counters.n, .ids = c->ids.at, .groups = c->ids.n};
	struct cpu_list online = {0};
	int got = 0;

	c->groups = bpf_cgroups_new(&how, err);
	if (!c->groups)
		return -1;
	cpus_online(c->opts->sys_root, &online);
	for (size_t i = 0; i < c->counters.n && !got; i++)
		got = count_cgroups_open_counter(c, i, &online);
	if (!got)
		got = watch_switches(c, &online);
	vec_release(&online);
	return got ? err_sys(err, -got, "cannot count for control groups by BPF") : 0;
}

static void count_cgroups_release(void *state)
{
	struct group_counts *c = state;

	for (size_t i = 0; i < c->switches.n; i++)
		close(c->switches.at[i]);
	bpf_cgroups_free(c->groups);
	vec_release(&c->events);
	vec_release(&c->names);
	vec_release(&c->ids);
	vec_release(&c->counters);
	vec_release(&c->switches);
	free(c);
}

static int open_groups(void **state, struct event_set *events, const struct target *target,
		       const struct count_options *opts, bool *taken, struct counts *shape,
		       struct buf *notices, struct err *err)
{
	struct group_counts *c;
	int got;

	(void)notices;
	if (target->tids.at[0] >= 0)
		return 0;
	c = NEW(struct group_counts);
	*c = (struct group_counts){.opts = opts, .target = target, .trace.lines = opts->opens};
	got = count_cgroups_collect(c, events, taken, err);
	if (!got && c->events.n)
		got = count_cgroups_start(c, err);
	if (got || !c->events.n) {
		count_cgroups_release(c);
		return got;
	}
	for (size_t i = 0; i < c->events.n; i++) {
		taken[c->events.at[i].ev->index] = true;
		counts_shape(shape, c->events.at[i].ev->index, target->cpus.at, target->cpus.n);
	}
	*state = c;
	return 0;
}

static int count_cgroups_enable(void *state, bool on, struct err *err)
{
	struct group_counts *c = state;
	int got = bpf_cgroups_switch(c->groups, on);

	return got ? err_sys(err, -got, "cannot %s counting by BPF", on ? "enable" : "disable") : 0;
}

static int read_groups(void *state, struct counts *out, struct err *err)
{
	struct group_counts *c = state;
	int got = bpf_cgroups_look(c->groups);

	if (got)
		return err_sys(err, -got, "cannot read what BPF has counted");
	for (size_t i = 0; i < c->events.n; i++) {
		const struct group_event *g = &c->events.at[i];
		struct event_counts *e = &out->events.at[g->ev->index];

		for (size_t k = 0; k < e->at.n; k++) {
			uint64_t v[3] = {0};

			bpf_cgroups_count(c->groups, g->group, e->cpus.at[k], g->counter, v);
			e->at.at[k] = (struct count){v[0], v[1], v[2]};
		}
	}
	return 0;
}

const struct count_source count_source_bpf_cgroups = {
	.name = "bpf cgroups",
	.bpf = true,
	.open = open_groups,
	.enable = count_cgroups_enable,
	.read = read_groups,
	.release = count_cgroups_release,
};
