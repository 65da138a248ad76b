// SPDX-License-Identifier: MIT
/*
 * Counting a command's software events without events of its own: the kernel would switch those at
 * each context switch, which costs a fifth of what a command does that switches often. What a task
 * does besides is counted by the CPUs' counters, read when the command's tasks begin and cease to
 * run.
 *
 * Only where the values are those of ordinary events, and only when all events can be counted so:
 * with one event of the command's own, the cost is there anyway.
 */
#include "capture/count.h"

#include "capture/open.h"
#include "os/bpf/bpf.h"
#include "os/bpf/tasks.h"
#include "os/machine/cpus.h"
#include "os/perf.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* PERF_COUNT_SW_... */
enum software {
	CPU_CLOCK,
	TASK_CLOCK,
	PAGE_FAULTS,
	CONTEXT_SWITCHES,
	CPU_MIGRATIONS,
	MINOR_FAULTS,
	MAJOR_FAULTS,
	ALIGNMENT_FAULTS,
	EMULATION_FAULTS,
	DUMMY,
};

/* One event; which counter it reads, or -1: the program counts it by itself. */
struct taken_event {
	struct event *ev;
	int counter;
	bool off;	       /* switched off alone: */
	struct count held;     /* what it was then */
	struct count left_out; /* what came while it was off, and in earlier runs */
};

struct task_counts {
	struct bpf_tasks *tasks;
	const struct count_options *opts;
	VEC(struct taken_event) events;
	struct open_trace trace;
};

static int kind_of(uint64_t config)
{
	switch (config) {
	case PAGE_FAULTS:
		return TASKS_FAULTS;
	case MINOR_FAULTS:
		return TASKS_MINOR_FAULTS;
	case MAJOR_FAULTS:
		return TASKS_MAJOR_FAULTS;
	case ALIGNMENT_FAULTS:
	case EMULATION_FAULTS:
		return TASKS_OTHER;
	default:
		return -1;
	}
}

static bool can_count(const struct event *ev)
{
	return ev->attr.type == TYPE_SOFTWARE && ev->attr.config <= DUMMY && !ev->cgroup &&
	       !ev->cpus && !ev->filter && !ev->bpf_counter && !ev->percore && !ev->no_inherit &&
	       !(ev->attr.flags & (ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL));
}

/* Would the kernel say that it has no such event? Then it costs nothing. */
static bool is_lacking(const struct event *ev, const struct count_options *opts, int tid)
{
	struct event probe = *ev;
	int fd;

	counting_configure(&probe, opts);
	fd = perf_open(&probe.attr, tid, -1, -1, 0);
	if (fd >= 0)
		close(fd);
	return fd == -ENOENT || fd == -ENODEV || fd == -ENXIO || fd == -EOPNOTSUPP;
}

/* All that is still to be counted, or none of it. */
static bool collect(struct task_counts *c, struct event_set *events, const struct target *target,
		    const bool *taken)
{
	int counters = 0;

	for (size_t i = 0; i < events->events.n; i++) {
		struct taken_event t = {.ev = events->events.at[i], .counter = -1};

		if (taken[i])
			continue;
		if (!can_count(t.ev)) {
			if (t.ev->members > 1 || !event_is_leader(t.ev) || t.ev->cgroup ||
			    !is_lacking(t.ev, c->opts, target->tids.at[0]))
				return false;
			continue;
		}
		if (kind_of(t.ev->attr.config) >= 0)
			t.counter = counters++;
		vec_add(&c->events, t);
	}
	return c->events.n && counters <= BPF_TASKS_COUNTERS;
}

/* The command's first process, and nothing else, before its exec. */
static bool is_command(const struct target *target, const struct count_options *opts)
{
	return opts->times && opts->times->command_pid && target->tids.n == 1 &&
	       target->tids.at[0] == opts->times->command_pid && target->cpus.at[0] < 0;
}

/* One counter, open on every CPU. */
static int open_counter(struct task_counts *c, const struct taken_event *t,
			const struct cpu_list *cpus)
{
	struct attr a = t->ev->attr;
	AUTO_FD events = bpf_events_new();
	int got = MIN(events, 0);

	a.flags &= ~(ATTR_INHERIT | ATTR_DISABLED | ATTR_ENABLE_ON_EXEC);
	a.read_format = READ_TOTAL_TIME_ENABLED | READ_TOTAL_TIME_RUNNING;
	for (size_t i = 0; i < cpus->n && !got; i++) {
		AUTO_FD fd = trace_open(&c->trace, t->ev, &a, -1, cpus->at[i], -1, 0);

		got = fd < 0 ? fd : bpf_events_put(events, cpus->at[i], fd);
	}
	return got ? got : bpf_tasks_counter(c->tasks, (size_t)t->counter, events);
}

static struct count value_of(const struct task_counts *c, const struct taken_event *t,
			     const struct bpf_tasks_sums *sums)
{
	struct count v = {.enabled = sums->ns, .running = sums->ns};
	uint64_t counted[3] = {0};

	switch (t->ev->attr.config) {
	case CPU_CLOCK:
	case TASK_CLOCK:
		v.value = sums->ns;
		break;
	case CONTEXT_SWITCHES:
		v.value = sums->switches;
		break;
	case CPU_MIGRATIONS:
		v.value = sums->migrations;
		break;
	default:
		if (t->counter >= 0)
			bpf_tasks_count(c->tasks, 0, -1, (size_t)t->counter, counted);
		v.value = counted[0];
	}
	return v;
}

/* The last run's program, when nothing that it follows is left. */
static bool take_over(struct task_counts *c)
{
	struct task_counts *old = counting_state(c->opts->before, &count_source_bpf_tasks);
	struct bpf_tasks_sums sums = {0};

	if (!old || !old->tasks || old->events.n != c->events.n || bpf_tasks_alive(old->tasks))
		return false;
	for (size_t i = 0; i < c->events.n; i++)
		if (old->events.at[i].ev != c->events.at[i].ev)
			return false;
	c->tasks = old->tasks;
	old->tasks = NULL;
	bpf_tasks_sums(c->tasks, 0, -1, &sums);
	for (size_t i = 0; i < c->events.n; i++)
		c->events.at[i].left_out = value_of(c, &c->events.at[i], &sums);
	return true;
}

static int start_program(struct task_counts *c)
{
	enum bpf_tasks_kind kinds[BPF_TASKS_COUNTERS];
	struct bpf_tasks_options how = {.kinds = kinds, .slots = 1, .inherit = c->opts->inherit};
	struct cpu_list cpus = {0};
	int got = 0;

	for (size_t i = 0; i < c->events.n; i++)
		if (c->events.at[i].counter >= 0)
			kinds[how.counters++] =
				(enum bpf_tasks_kind)kind_of(c->events.at[i].ev->attr.config);
	c->tasks = bpf_tasks_new(&how, NULL);
	if (!c->tasks)
		return -1;
	cpus_online(c->opts->sys_root, &cpus);
	for (size_t i = 0; i < c->events.n && !got; i++)
		if (c->events.at[i].counter >= 0)
			got = open_counter(c, &c->events.at[i], &cpus);
	vec_release(&cpus);
	return got;
}

static void release(void *state)
{
	struct task_counts *c = state;

	bpf_tasks_free(c->tasks);
	vec_release(&c->events);
	free(c);
}

static int open_tasks(void **state, struct event_set *events, const struct target *target,
		      const struct count_options *opts, bool *taken, struct counts *shape,
		      struct buf *notices, struct err *err)
{
	static const int any_cpu = -1;
	struct task_counts *c;

	(void)notices, (void)err;
	if (!is_command(target, opts) || opts->per_thread || opts->with_ids || opts->all_user ||
	    opts->all_kernel || opts->bpf_counters || opts->bpf_programs || !bpf_allowed() ||
	    !bpf_tasks_exact())
		return 0;
	c = NEW(struct task_counts);
	*c = (struct task_counts){.opts = opts, .trace.lines = opts->opens};
	if (!collect(c, events, target, taken)) {
		release(c);
		return 0;
	}
	for (size_t i = 0; i < c->events.n; i++)
		counting_configure(c->events.at[i].ev, opts);
	if ((!take_over(c) && start_program(c)) ||
	    bpf_tasks_follow(c->tasks, target->tids.at[0], 0, true)) {
		release(c);
		return 0; /* ordinary events will do */
	}
	for (size_t i = 0; i < c->events.n; i++) {
		taken[c->events.at[i].ev->index] = true;
		counts_shape(shape, c->events.at[i].ev->index, &any_cpu, 1);
	}
	*state = c;
	return 0;
}

static int enable(void *state, bool on, struct err *err)
{
	struct task_counts *c = state;
	int got = bpf_tasks_switch(c->tasks, on);

	return got ? err_sys(err, -got, "cannot %s counting by BPF", on ? "enable" : "disable") : 0;
}

static struct count less(struct count a, const struct count *b)
{
	return (struct count){a.value - b->value, a.enabled - b->enabled, a.running - b->running};
}

static int look(const struct task_counts *c, struct bpf_tasks_sums *sums, struct err *err)
{
	int got = bpf_tasks_look(c->tasks);

	*sums = (struct bpf_tasks_sums){0};
	if (got)
		return err_sys(err, -got, "cannot read what BPF has counted");
	bpf_tasks_sums(c->tasks, 0, -1, sums);
	return 0;
}

static int switch_one(void *state, const struct event *ev, bool on, struct err *err)
{
	struct task_counts *c = state;
	struct bpf_tasks_sums sums;

	for (size_t i = 0; i < c->events.n; i++) {
		struct taken_event *t = &c->events.at[i];
		struct count now;

		if (t->ev != ev || t->off != on)
			continue;
		if (look(c, &sums, err))
			return -1;
		now = less(value_of(c, t, &sums), &t->left_out);
		if (on)
			t->left_out = less(value_of(c, t, &sums), &t->held);
		t->held = now;
		t->off = !on;
	}
	return 0;
}

static int read_tasks(void *state, struct counts *out, struct err *err)
{
	struct task_counts *c = state;
	struct bpf_tasks_sums sums;

	if (look(c, &sums, err))
		return -1;
	for (size_t i = 0; i < c->events.n; i++) {
		const struct taken_event *t = &c->events.at[i];
		struct count *cell = &out->events.at[t->ev->index].at.at[0];

		*cell = t->off ? t->held : less(value_of(c, t, &sums), &t->left_out);
	}
	return 0;
}

const struct count_source count_source_bpf_tasks = {
	.name = "bpf tasks",
	.open = open_tasks,
	.enable = enable,
	.switch_one = switch_one,
	.read = read_tasks,
	.release = release,
};
