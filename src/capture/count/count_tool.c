// SPDX-License-Identifier: MIT
/*
 * Events that need no counter: times of the command, and numbers that the machine shows in files.
 * Each has one cell, on the first CPU (or on none) and in the first thread.
 */
#include "capture/count/count.h"

#include "base/monotonic.h"
#include "os/machine/facts.h"
#include "os/proc/proc.h"

#include <string.h>

struct tool_event {
	const struct event *ev;
	uint64_t base; /* the value when the event was enabled */
};

struct tool {
	const struct target *target;
	const struct count_options *opts;
	bool started;
	uint64_t start_ns;
	VEC(struct tool_event) events;
};

static uint64_t duration(const struct tool *t)
{
	const struct count_times *times = t->opts->times;
	uint64_t start = times ? times->start_ns : t->start_ns;
	uint64_t end = times && times->end_ns ? times->end_ns : monotonic_ns();

	return start && end > start ? end - start : 0;
}

/* User (or system) time: of the command, of the processes that are measured, of the machine. */
static uint64_t cpu_time(const struct tool *t, bool user)
{
	const struct count_times *times = t->opts->times;
	struct proc_times now, sum = {0};

	if (times && times->ended)
		return user ? times->user_ns : times->system_ns;
	if (times && times->command_pid) {
		proc_times(t->opts->proc_root, times->command_pid, &sum);
	} else if (t->target->system_wide) {
		proc_times(t->opts->proc_root, 0, &sum);
	} else {
		for (size_t i = 0; i < t->target->pids.n; i++) {
			if (proc_times(t->opts->proc_root, t->target->pids.at[i], &now))
				continue;
			sum.user_ns += now.user_ns;
			sum.system_ns += now.system_ns;
		}
	}
	return user ? sum.user_ns : sum.system_ns;
}

/* The value of a fact about the machine or the target. False: this machine does not tell. */
static bool fact(const struct tool *t, const struct event *ev, uint64_t *v)
{
	const char *name = event_tool_name(ev->tool);

	if (ev->tool == TOOL_TARGET_CPU)
		*v = t->target->system_wide;
	else if (ev->tool == TOOL_CORE_WIDE)
		*v = t->target->system_wide &&
		     fact_core_wide(t->opts->sys_root, t->target->cpus.at,
				    t->target->all_cpus ? 0 : t->target->cpus.n);
	else
		return fact_read(t->opts->sys_root, t->opts->proc_root,
				 fact_find(name, strlen(name)), v);
	return true;
}

static int count_tool_value_of(const struct tool *t, const struct event *ev, uint64_t *value,
			       struct err *err)
{
	const struct target *target = t->target;
	int64_t shown;

	if (ev->tool == TOOL_DURATION_TIME) {
		*value = duration(t);
		return 0;
	}
	if (ev->tool != TOOL_NONE && !count_grows(ev)) {
		fact(t, ev, value);
		return 0;
	}
	if (ev->tool != TOOL_NONE) {
		*value = cpu_time(t, ev->tool == TOOL_USER_TIME);
		return 0;
	}
	if (readout_get(&ev->readout, target->system_wide ? NULL : target->pids.at, target->pids.n,
			&shown, err))
		return -1;
	*value = (uint64_t)shown;
	return 0;
}

static int tool_open(void **state, struct event_set *events, const struct target *target,
		     const struct count_options *opts, bool *taken, struct counts *shape,
		     struct buf *notices, struct err *err)
{
	struct tool *t = NULL;
	uint64_t v;

	(void)notices;
	(void)err;
	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *ev = events->events.at[i];

		if (taken[i] || (ev->tool == TOOL_NONE && ev->readout.kind == READOUT_NONE))
			continue;
		if (!t) {
			t = NEW(struct tool);
			t->target = target;
			t->opts = opts;
		}
		taken[i] = true;
		if (!count_grows(ev) && ev->tool && !fact(t, ev, &v))
			continue;
		counts_shape(shape, ev->index, &target->cpus.at[0], 1);
		vec_add(&t->events, (struct tool_event){.ev = ev});
	}
	*state = t;
	return 0;
}

static int tool_enable(void *state, bool on, struct err *err)
{
	struct tool *t = state;

	if (!on || t->started)
		return 0;
	t->started = true;
	t->start_ns = monotonic_ns();
	for (size_t i = 0; i < t->events.n; i++) {
		struct tool_event *e = &t->events.at[i];

		if (e->ev->tool == TOOL_DURATION_TIME || !count_grows(e->ev))
			continue;
		if (count_tool_value_of(t, e->ev, &e->base, err))
			return -1;
	}
	return 0;
}

static int tool_read(void *state, struct counts *out, struct err *err)
{
	struct tool *t = state;

	for (size_t i = 0; i < t->events.n; i++) {
		const struct tool_event *e = &t->events.at[i];
		struct count *c = out->events.at[e->ev->index].at.at;
		uint64_t value = 0;

		if (count_tool_value_of(t, e->ev, &value, err))
			return -1;
		if (count_grows(e->ev))
			value = value > e->base ? value - e->base : 0;
		c->value = value;
		/* A time's enabled time is the time itself: a time of zero was not counted at
		 * all. */
		c->enabled = c->running = e->ev->tool != TOOL_NONE && count_grows(e->ev)
						  ? value
						  : MAX(duration(t), (uint64_t)1);
	}
	return 0;
}

static void tool_release(void *state)
{
	struct tool *t = state;

	vec_release(&t->events);
	free(t);
}

const struct count_source count_source_tool = {
	.name = "tool",
	.open = tool_open,
	.enable = tool_enable,
	.read = tool_read,
	.release = tool_release,
};
