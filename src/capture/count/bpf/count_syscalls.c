// SPDX-License-Identifier: MIT
/*
 * Counting tracepoints of system calls by one pair of hooks for all: closing the last event of a
 * tracepoint takes the kernel some 30 ms, and syscalls:* are 700 of them.
 *
 * A dummy event, counted in the ordinary way, gives the cells and their times.
 */
#include "capture/count/count.h"

#include "event/syscalls.h"
#include "os/bpf/bpf.h"
#include "os/bpf/syscalls.h"

#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

/* The program takes as long to load as so many tracepoints take to close. */
#define TOO_FEW 1

struct call_event {
	struct event *ev;
	unsigned int number;
	bool at_end;
};

struct call_counts {
	struct bpf_syscalls *calls;
	const struct count_options *opts;
	VEC(struct call_event)
	events; /* each has a counter of its own; events that ask for the same call share one */
	size_t counters;
	VEC(size_t) counter; /* of each event */
	bool tasks;	     /* some tasks only, not all */

	/* the clock */
	struct event_set dummy;
	void *clock;
	struct counts shape, times;
};

static bool find_call(const char *machine, const struct event *ev, struct call_event *out)
{
	const char *name = ev->tracepoint;
	int number;

	if (ev->attr.type != TYPE_TRACEPOINT || !ev->system || strcmp(ev->system, "syscalls") ||
	    !name || ev->filter || ev->cgroup || ev->no_inherit || ev->cpus || ev->bpf_counter ||
	    ev->percore || ev->attr.flags & (ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL))
		return false;
	out->at_end = !strncmp(name, "sys_exit_", 9);
	if (!out->at_end && strncmp(name, "sys_enter_", 10))
		return false;
	number = syscall_of_tracepoint(machine, name + (out->at_end ? 9 : 10));
	out->number = (unsigned int)number;
	return number >= 0;
}

static bool whole_group(const struct event_set *events, const struct event *ev, const char *machine)
{
	struct call_event c;

	for (size_t i = 0; i < events->events.n; i++)
		if (events->events.at[i]->leader == ev->leader &&
		    !find_call(machine, events->events.at[i], &c))
			return false;
	return true;
}

static void count_syscalls_collect(struct call_counts *c, struct event_set *events,
				   const bool *taken)
{
	struct utsname u;

	if (uname(&u))
		return;
	for (size_t i = 0; i < events->events.n; i++) {
		struct call_event e = {.ev = events->events.at[i]};
		size_t same = 0;

		if (taken[i] || !find_call(u.machine, e.ev, &e) ||
		    !whole_group(events, e.ev, u.machine))
			continue;
		while (same < c->events.n && (c->events.at[same].number != e.number ||
					      c->events.at[same].at_end != e.at_end))
			same++;
		vec_add(&c->counter, same < c->events.n ? c->counter.at[same] : c->counters++);
		vec_add(&c->events, e);
	}
}

static int open_clock(struct call_counts *c, const struct target *target, struct buf *notices,
		      struct counts *shape, struct err *err)
{
	bool taken = false;
	struct event *ev = event_set_add(&c->dummy, "dummy");

	ev->attr = (struct attr){.type = TYPE_SOFTWARE,
				 .size = ATTR_SIZE_6_1,
				 .config = 9 /* PERF_COUNT_SW_DUMMY */};
	vec_add(&c->shape.events, (struct event_counts){.state = COUNT_NOT_SUPPORTED});
	for (size_t i = 0; i < shape->threads.n; i++)
		vec_add(&c->shape.threads, shape->threads.at[i]);
	return count_source_perf.open(&c->clock, &c->dummy, target, c->opts, &taken, &c->shape,
				      notices, err);
}

static int count_syscalls_follow(struct call_counts *c, const struct target *target)
{
	for (size_t i = 0; c->tasks && i < target->tids.n; i++) {
		int got = bpf_syscalls_follow(c->calls, target->tids.at[i],
					      c->opts->per_thread ? (uint32_t)i : 0,
					      c->opts->on_exec);

		if (got && got != -ESRCH)
			return got;
	}
	return 0;
}

static int start_program(struct call_counts *c, const struct target *target, struct err *err)
{
	struct bpf_syscalls_options how = {.counters = c->counters,
					   .by_cpu = c->shape.events.at[0].cpus.at[0] >= 0,
					   .inherit = c->opts->inherit};

	if (c->tasks)
		how.slots = c->opts->per_thread ? target->tids.n : 1;
	c->calls = bpf_syscalls_new(&how, err);
	if (!c->calls)
		return -1;
	for (size_t i = 0; i < c->events.n; i++)
		if (!bpf_syscalls_assign(c->calls, c->events.at[i].at_end, c->events.at[i].number,
					 (int)c->counter.at[i]))
			return -1;
	return count_syscalls_follow(c, target);
}

static void count_syscalls_release(void *state)
{
	struct call_counts *c = state;

	if (c->clock)
		count_source_perf.release(c->clock);
	bpf_syscalls_free(c->calls);
	event_set_release(&c->dummy);
	counts_release(&c->shape);
	counts_release(&c->times);
	vec_release(&c->events);
	vec_release(&c->counter);
	free(c);
}

static int open_calls(void **state, struct event_set *events, const struct target *target,
		      const struct count_options *opts, bool *taken, struct counts *shape,
		      struct buf *notices, struct err *err)
{
	struct call_counts *c;

	if (opts->with_ids || opts->all_user || opts->all_kernel || opts->bpf_programs ||
	    !bpf_allowed())
		return 0;
	c = NEW(struct call_counts);
	c->opts = opts;
	c->tasks = target->tids.at[0] >= 0;
	count_syscalls_collect(c, events, taken);
	if (c->events.n <= TOO_FEW) {
		count_syscalls_release(c);
		return 0;
	}
	if (open_clock(c, target, notices, shape, err)) {
		count_syscalls_release(c);
		return -1;
	}
	if (start_program(c, target, NULL)) {
		count_syscalls_release(c);
		return 0; /* ordinary events will do */
	}
	for (size_t i = 0; i < c->events.n; i++) {
		struct event *ev = c->events.at[i].ev;

		counting_configure(ev, opts);
		taken[ev->index] = true;
		counts_shape(shape, ev->index, c->shape.events.at[0].cpus.at,
			     c->shape.events.at[0].cpus.n);
	}
	*state = c;
	return 0;
}

static int count_syscalls_enable(void *state, bool on, struct err *err)
{
	struct call_counts *c = state;

	bpf_syscalls_switch(c->calls, on);
	return count_source_perf.enable(c->clock, on, err);
}

static int switch_one(void *state, const struct event *ev, bool on, struct err *err)
{
	struct call_counts *c = state;

	(void)err;
	for (size_t i = 0; i < c->events.n; i++)
		if (c->events.at[i].ev == ev)
			bpf_syscalls_assign(c->calls, c->events.at[i].at_end,
					    c->events.at[i].number,
					    on ? (int)c->counter.at[i] : -1);
	return 0;
}

static int read_calls(void *state, struct counts *out, struct err *err)
{
	struct call_counts *c = state;

	counts_copy(&c->times, &c->shape);
	if (count_source_perf.read(c->clock, &c->times, err))
		return -1;
	for (size_t i = 0; i < c->events.n; i++) {
		struct event_counts *e = &out->events.at[c->events.at[i].ev->index];
		const struct event_counts *times = &c->times.events.at[0];
		size_t threads = out->threads.n;

		for (size_t k = 0; k < MIN(e->at.n, times->at.n); k++) {
			e->at.at[k] = times->at.at[k];
			e->at.at[k].value = bpf_syscalls_value(
				c->calls, k % threads, e->cpus.at[k / threads], c->counter.at[i]);
		}
	}
	return 0;
}

const struct count_source count_source_bpf_syscalls = {
	.name = "bpf syscalls",
	.bpf = true,
	.open = open_calls,
	.enable = count_syscalls_enable,
	.switch_one = switch_one,
	.read = read_calls,
	.release = count_syscalls_release,
};
