// SPDX-License-Identifier: MIT
/* Gives each event to a source, and handles all sources as one counting. */
#include "capture/count/count.h"

#include "os/proc/proc.h"

#include <stdlib.h>
#include <string.h>

/* In order: each source takes from the events that those before it left. */
static const struct count_source *const sources[] = {
	&count_source_tool,
#ifdef HAVE_BPF
	&count_source_bpf_programs,
	&count_source_bpf_cgroups,
	&count_source_bpf_shared,
	&count_source_bpf_syscalls,
	&count_source_bpf_tasks,
#endif
	&count_source_perf,
};

static bool is_own(const struct event *ev)
{
	return ev->tool != TOOL_NONE || ev->readout.kind != READOUT_NONE;
}

/* Takes an event out of its group; another one then leads the others. */
static void leave_group(struct event_set *events, struct event *ev)
{
	struct event *old = events->events.at[ev->leader], *next = NULL;

	if (old != ev) {
		old->members--;
	} else {
		for (size_t i = 0; i < events->events.n; i++) {
			struct event *e = events->events.at[i];

			if (e == ev || e->leader != ev->index)
				continue;
			if (!next) {
				next = e;
				next->members = ev->members - 1;
				next->weak_group = ev->weak_group;
				next->group_name = ev->group_name;
			}
			e->leader = next->index;
		}
	}
	ev->leader = ev->index;
	ev->members = 1;
}

/* Takes the events that the kernel does not schedule out of their groups. */
static void only_kernel_groups(struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++) {
		struct event *ev = events->events.at[i];

		if (is_own(ev) && (ev->members > 1 || !event_is_leader(ev)))
			leave_group(events, ev);
	}
}

static void shape_threads(struct counting *c)
{
	const struct target *t = c->target;

	if (!c->opts.per_thread || t->tids.at[0] < 0) {
		vec_add(&c->shape.threads, (struct count_thread){.tid = -1});
		return;
	}
	for (size_t i = 0; i < t->tids.n; i++) {
		struct count_thread th = {.tid = t->tids.at[i]};

		if (!proc_line(c->opts.proc_root, th.tid, "comm", th.comm, sizeof(th.comm)))
			strcpy(th.comm, "<unknown>"); /* gone, or its name is */
		vec_add(&c->shape.threads, th);
	}
}

void *counting_state(const struct counting *c, const struct count_source *source)
{
	for (size_t i = 0; c && i < c->parts.n; i++)
		if (c->parts.at[i].source == source)
			return c->parts.at[i].state;
	return NULL;
}

/* Fails when options or events ask for BPF, but this perf was built without it. */
static int needs_bpf(const struct event_set *events, const struct count_options *opts,
		     struct err *err)
{
	bool needed = opts->bpf_counters || opts->bpf_programs;

	for (size_t i = 0; i < events->events.n; i++)
		needed |= events->events.at[i]->bpf_counter;
#ifdef HAVE_BPF
	needed = false;
#endif
	if (!needed)
		return 0;
	err_set(err, ERR_UNSUPPORTED, "this perf was built without BPF");
	return err_hint(err,
			"-b, --bpf-counters and :b need it; clang, bpftool and libbpf-dev have "
			"to be there when perf is built.");
}

int counting_open(struct counting *c, struct event_set *events, const struct target *target,
		  const struct count_options *opts, struct err *err)
{
	AUTO_CHAR *taken = mem_zero(MAX(events->events.n, (size_t)1) * sizeof(bool));

	*c = (struct counting){.events = events, .target = target, .opts = *opts};
	if (needs_bpf(events, opts, err))
		return -1;
	only_kernel_groups(events);
	shape_threads(c);
	for (size_t i = 0; i < events->events.n; i++)
		vec_add(&c->shape.events, (struct event_counts){.state = COUNT_NOT_SUPPORTED});
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		void *state = NULL;

		if (sources[i]->bpf && opts->no_bpf)
			continue;
		if (sources[i]->open(&state, events, target, &c->opts, (bool *)taken, &c->shape,
				     &c->notices, err))
			return -1;
		if (state)
			vec_add(&c->parts, (struct counting_part){sources[i], state});
	}
	return 0;
}

int counting_enable(struct counting *c, bool on, struct err *err)
{
	for (size_t i = 0; i < c->parts.n; i++) {
		struct counting_part *p = &c->parts.at[i];

		if (p->source->enable && p->source->enable(p->state, on, err))
			return -1;
	}
	return 0;
}

int counting_switch(struct counting *c, const struct event *ev, bool on, struct err *err)
{
	for (size_t i = 0; i < c->parts.n; i++) {
		struct counting_part *p = &c->parts.at[i];

		if (p->source->switch_one && p->source->switch_one(p->state, ev, on, err))
			return -1;
	}
	return 0;
}

bool count_grows(const struct event *ev)
{
	if (ev->tool != TOOL_NONE)
		return ev->tool == TOOL_DURATION_TIME || ev->tool == TOOL_USER_TIME ||
		       ev->tool == TOOL_SYSTEM_TIME;
	return ev->readout.kind == READOUT_NONE ? !ev->snapshot : ev->readout.grows;
}

void counting_since(const struct event_set *events, struct counts *a, const struct counts *b)
{
	struct counts level = {0};
	bool some = false;

	for (size_t i = 0; i < events->events.n; i++)
		some |= !count_grows(events->events.at[i]);
	if (some)
		counts_copy(&level, a);
	counts_subtract(a, b);
	for (size_t i = 0; some && i < events->events.n; i++) {
		struct event_counts *to = &a->events.at[i];

		if (count_grows(events->events.at[i]))
			continue;
		for (size_t k = 0; k < to->at.n; k++)
			to->at.at[k].value = level.events.at[i].at.at[k].value;
	}
	counts_release(&level);
}

int counting_read(struct counting *c, struct counts *out, struct err *err)
{
	counts_copy(out, &c->shape);
	for (size_t i = 0; i < c->parts.n; i++) {
		struct counting_part *p = &c->parts.at[i];

		if (p->source->read && p->source->read(p->state, out, err))
			return -1;
	}
	if (c->base.events.n)
		counting_since(c->events, out, &c->base);
	c->multiplexed = false;
	for (size_t i = 0; i < out->events.n && !c->multiplexed; i++) {
		const struct event_counts *e = &out->events.at[i];

		for (size_t k = 0; k < e->at.n; k++)
			c->multiplexed |= e->at.at[k].running < e->at.at[k].enabled;
	}
	return 0;
}

int counting_reset(struct counting *c, struct err *err)
{
	struct counts now = {0};
	int got;

	counts_release(&c->base);
	c->base = (struct counts){0};
	got = counting_read(c, &now, err);
	/* The times of a run are not relative to the reset. */
	for (size_t i = 0; i < now.events.n; i++)
		for (size_t k = 0; c->events->events.at[i]->tool && k < now.events.at[i].at.n; k++)
			now.events.at[i].at.at[k] = (struct count){0};
	c->base = now;
	return got;
}

void counting_release(struct counting *c)
{
	for (size_t i = c->parts.n; i-- > 0;)
		if (c->parts.at[i].source->release)
			c->parts.at[i].source->release(c->parts.at[i].state);
	vec_release(&c->parts);
	counts_release(&c->shape);
	counts_release(&c->base);
	buf_release(&c->notices);
	*c = (struct counting){0};
}
