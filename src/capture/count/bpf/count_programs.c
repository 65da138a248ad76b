// SPDX-License-Identifier: MIT
/* Counting while BPF programs run (-b). */
#include "capture/count/count.h"

#include "capture/open/open.h"
#include "os/bpf/bpf.h"
#include "os/bpf/during.h"
#include "os/machine/cpus.h"
#include "os/perf.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct program_counts {
	struct bpf_during *during;
	const struct count_options *opts;
	VEC(struct event *) events; /* each a counter */
	uint64_t *values;	    /* of one counter, on all CPUs */
	struct open_trace trace;
};

static int parse_ids(const char *text, uint32_t **ids, size_t *n, struct err *err)
{
	VEC(uint32_t) v = {0};

	for (const char *p = text;; p++) {
		char *end;
		unsigned long id = strtoul(p, &end, 10);

		if (end == p || *p == '-' || !id || id > UINT32_MAX || (*end && *end != ',')) {
			vec_release(&v);
			err_set(err, ERR_USAGE, "'%s' is not a list of BPF programs' ids", text);
			return err_hint(err, "'bpftool prog' lists those that are loaded.");
		}
		vec_add(&v, (uint32_t)id);
		p = end;
		if (!*p)
			break;
	}
	*ids = v.at;
	*n = v.n;
	return 0;
}

static struct attr attr_of(const struct event *ev)
{
	struct attr a = ev->attr;

	a.flags &= ~(ATTR_INHERIT | ATTR_DISABLED | ATTR_ENABLE_ON_EXEC);
	a.sample_type = 0;
	a.read_format = READ_TOTAL_TIME_ENABLED | READ_TOTAL_TIME_RUNNING;
	return a;
}

/* 1: it is open on the target's CPUs, 0: this machine has no such event, -1. */
static int count_programs_open_counter(struct program_counts *c, struct event *ev,
				       const struct target *target, struct err *err)
{
	struct attr a = attr_of(ev);
	struct cpu_list only = {0};
	AUTO_FD events = bpf_events_new();
	int got = MIN(events, 0);
	size_t opened = 0;

	if (ev->cpus)
		cpus_parse(ev->cpus, &only);
	for (size_t i = 0; i < target->cpus.n && !got; i++) {
		int cpu = target->cpus.at[i];
		AUTO_FD fd = -1;

		if (only.n && !cpus_has(&only, cpu))
			continue;
		fd = trace_open(&c->trace, ev, &a, -1, cpu, -1, 0);
		got = fd < 0 ? fd : bpf_events_put(events, cpu, fd);
		opened += !got;
	}
	vec_release(&only);
	if (!opened && (got == -ENOENT || got == -ENODEV || got == -ENXIO || got == -EOPNOTSUPP))
		return 0;
	if (got)
		return rights_explain(err, -got, ev, -1, target->cpus.at[0]);
	bpf_during_counter(c->during, c->events.n, events);
	return 1;
}

static void count_programs_release(void *state)
{
	struct program_counts *c = state;

	bpf_during_free(c->during);
	vec_release(&c->events);
	free(c->values);
	free(c);
}

static int open_all(struct program_counts *c, struct event_set *events, const struct target *target,
		    bool *taken, struct counts *shape, struct err *err)
{
	for (size_t i = 0; i < events->events.n; i++) {
		struct event *ev = events->events.at[i];
		int got;

		if (taken[i] || ev->tool != TOOL_NONE)
			continue;
		if (ev->cgroup || ev->filter)
			return err_set(err, ERR_USAGE,
				       "-b counts for all groups and without filters, not '%s'",
				       ev->name);
		counting_configure(ev, c->opts);
		got = count_programs_open_counter(c, ev, target, err);
		if (got < 0)
			return -1;
		taken[i] = true;
		if (!got)
			continue;
		counts_shape(shape, ev->index, target->cpus.at, target->cpus.n);
		vec_add(&c->events, ev);
	}
	return 0;
}

static int open_programs(void **state, struct event_set *events, const struct target *target,
			 const struct count_options *opts, bool *taken, struct counts *shape,
			 struct buf *notices, struct err *err)
{
	struct program_counts *c;
	uint32_t *ids = NULL;
	size_t n = 0, counters = 0;
	int got;

	(void)notices;
	if (!opts->bpf_programs)
		return 0;
	if (parse_ids(opts->bpf_programs, &ids, &n, err))
		return -1;
	for (size_t i = 0; i < events->events.n; i++)
		counters += !taken[i] && events->events.at[i]->tool == TOOL_NONE;
	c = NEW(struct program_counts);
	*c = (struct program_counts){.opts = opts,
				     .trace.lines = opts->opens,
				     .values = mem_zero(3 * bpf_cpus() * sizeof(*c->values))};
	if (counters > BPF_DURING_COUNTERS)
		got = err_set(err, ERR_USAGE, "-b counts at most %d events", BPF_DURING_COUNTERS);
	else
		got = (c->during = bpf_during_new(ids, n, MAX(counters, (size_t)1), err)) ? 0 : -1;
	free(ids);
	if (!got)
		got = open_all(c, events, target, taken, shape, err);
	if (got)
		count_programs_release(c);
	else
		*state = c;
	return got;
}

static int count_programs_enable(void *state, bool on, struct err *err)
{
	struct program_counts *c = state;

	return bpf_during_switch(c->during, on, err);
}

static int read_programs(void *state, struct counts *out, struct err *err)
{
	struct program_counts *c = state;

	for (size_t i = 0; i < c->events.n; i++) {
		struct event_counts *e = &out->events.at[c->events.at[i]->index];
		int got = bpf_during_read(c->during, i, c->values);

		if (got)
			return err_sys(err, -got, "cannot read what BPF has counted");
		for (size_t k = 0; k < e->at.n; k++) {
			const uint64_t *v = &c->values[3 * e->cpus.at[k / out->threads.n]];

			e->at.at[k] = (struct count){v[0], v[1], v[2]};
		}
	}
	return 0;
}

const struct count_source count_source_bpf_programs = {
	.name = "bpf programs",
	.bpf = true,
	.open = open_programs,
	.enable = count_programs_enable,
	.read = read_programs,
	.release = count_programs_release,
};
