// SPDX-License-Identifier: MIT
/*
 * Counting with counters of the CPUs that are read when counted tasks are switched in and out,
 * instead of events that belong to those tasks. Two uses of it:
 *
 * - A command's software events: the kernel would switch per-task events at each context switch,
 *   which costs a fifth of the time of a command that switches often. Only where the values are
 *   those of ordinary events, and only when all events can be counted so: with one event of the
 *   command's own, the cost is there anyway. No option asks for it, and no message tells of it.
 * - Counters shared with other processes that count the same event (--bpf-counters, :b), on any
 *   target.
 */
#include "capture/count/count.h"

#include "capture/open/open.h"
#include "os/bpf/bpf.h"
#include "os/bpf/shared.h"
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
	CGROUP_SWITCHES = 11,
};

/* One event. */
struct taken_event {
	struct event *ev;
	int counter;	      /* the counter it reads, or -1: the program counts it by itself */
	struct cpu_list cpus; /* rows; one -1 when CPUs aren't told apart */
	size_t cells;
	bool off;		/* switched off alone: */
	struct count *held;	/* what its cells were then */
	struct count *left_out; /* per cell: the count while it was off, and of earlier runs */
};

struct task_counts {
	struct bpf_tasks *tasks;
	const struct count_options *opts;
	const struct target *target;
	bool everything; /* all tasks */
	bool shared;
	size_t threads; /* columns */
	VEC(struct taken_event) events;
	struct open_trace trace;
};

static int count_tasks_kind_of(const struct event *ev)
{
	if (ev->attr.type != TYPE_SOFTWARE)
		return TASKS_OTHER;
	switch (ev->attr.config) {
	case PAGE_FAULTS:
		return TASKS_FAULTS;
	case MINOR_FAULTS:
		return TASKS_MINOR_FAULTS;
	case MAJOR_FAULTS:
		return TASKS_MAJOR_FAULTS;
	default:
		return TASKS_OTHER;
	}
}

/* True for events that a counter of the CPU must count. Those that happen only when tasks are
 * switched the program counts itself: a counter would give them to the wrong task. */
static bool needs_counter(const struct task_counts *c, const struct event *ev)
{
	return c->everything || ev->attr.type != TYPE_SOFTWARE ||
	       ev->attr.config > CPU_MIGRATIONS || ev->attr.config == PAGE_FAULTS;
}

static bool is_plain_software(const struct event *ev)
{
	return ev->attr.type == TYPE_SOFTWARE && ev->attr.config <= DUMMY && !ev->cpus &&
	       !ev->bpf_counter && !ev->percore &&
	       !(ev->attr.flags & (ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL));
}

/* True when the kernel has no such event: it then costs nothing. */
static bool is_lacking(const struct task_counts *c, const struct event *ev)
{
	struct attr a = ev->attr;
	int fd;

	a.sample_period = 0;
	a.flags = (a.flags | ATTR_DISABLED) & ~(ATTR_FREQ | ATTR_INHERIT);
	a.read_format = 0;
	if (c->everything)
		fd = perf_open(&a, -1, c->target->cpus.at[0], -1, 0);
	else
		fd = perf_open(&a, c->target->tids.at[0], -1, -1, 0);
	if (fd >= 0)
		close(fd);
	return fd == -ENOENT || fd == -ENODEV || fd == -ENXIO || fd == -EOPNOTSUPP;
}

static void count_tasks_rows_of(const struct task_counts *c, struct taken_event *t)
{
	struct cpu_list only = {0};
	const struct target *target = c->target;

	if (t->ev->cpus)
		cpus_parse(t->ev->cpus, &only);
	for (size_t i = 0; i < target->cpus.n; i++)
		if (target->cpus.at[0] < 0 || !only.n || cpus_has(&only, target->cpus.at[i]))
			vec_add(&t->cpus, target->cpus.at[i]);
	vec_release(&only);
}

static void count_tasks_take(struct task_counts *c, struct event *ev, int *counters)
{
	struct taken_event t = {.ev = ev, .counter = -1};

	count_tasks_rows_of(c, &t);
	t.cells = t.cpus.n * c->threads;
	t.held = mem_zero(t.cells * sizeof(*t.held));
	t.left_out = mem_zero(t.cells * sizeof(*t.left_out));
	if (needs_counter(c, ev))
		t.counter = (*counters)++;
	vec_add(&c->events, t);
}

/* Collects all events that no source has taken, or none of them. */
static bool collect_software(struct task_counts *c, struct event_set *events, const bool *taken)
{
	int counters = 0;

	for (size_t i = 0; i < events->events.n; i++) {
		struct event *ev = events->events.at[i];

		if (taken[i])
			continue;
		if (ev->cgroup || ev->filter || ev->no_inherit)
			return false;
		if (is_plain_software(ev))
			count_tasks_take(c, ev, &counters);
		else if (ev->members > 1 || !event_is_leader(ev) || !is_lacking(c, ev))
			return false;
	}
	return c->events.n && counters <= BPF_TASKS_COUNTERS;
}

/* Collects the events whose counters are to be shared. */
static int collect_shared(struct task_counts *c, struct event_set *events, const bool *taken,
			  struct err *err)
{
	int counters = 0;

	for (size_t i = 0; i < events->events.n; i++) {
		struct event *ev = events->events.at[i];

		if (taken[i] || ev->tool != TOOL_NONE ||
		    !(ev->bpf_counter || c->opts->bpf_counters) || ev->cgroup || ev->filter ||
		    is_lacking(c, ev))
			continue;
		if (!c->everything && ev->attr.type == TYPE_SOFTWARE &&
		    ev->attr.config == CGROUP_SWITCHES)
			continue;
		count_tasks_take(c, ev, &counters);
	}
	if (counters <= BPF_TASKS_COUNTERS)
		return 0;
	return err_set(err, ERR_USAGE, "at most %d events can share their counters",
		       BPF_TASKS_COUNTERS);
}

struct opening {
	struct task_counts *c;
	const struct taken_event *t;
	struct attr attr;
	struct cpu_list cpus;
};

/* Opens one counter on every CPU. */
static int open_on_cpus(void *ctx, int events)
{
	struct opening *o = ctx;
	int got = 0;

	for (size_t i = 0; i < o->cpus.n && !got; i++) {
		int cpu = o->cpus.at[i];
		AUTO_FD fd = trace_open(&o->c->trace, o->t->ev, &o->attr, -1, cpu, -1, 0);

		/* A CPU that the PMU does not cover has no such counter. */
		if (fd < 0 &&
		    !(o->t->ev->cpus && (fd == -ENODEV || fd == -EINVAL || fd == -ENOENT)))
			got = fd;
		else if (fd >= 0)
			got = bpf_events_put(events, cpu, fd);
	}
	return got;
}

static int count_tasks_open_counter(struct task_counts *c, const struct taken_event *t,
				    struct err *err)
{
	struct opening o = {.c = c, .t = t, .attr = t->ev->attr};
	uint8_t key[SHARED_EVENT_KEY];
	AUTO_FD events = -1;
	int got;

	o.attr.size = SHARED_EVENT_KEY;
	o.attr.flags &= ~(ATTR_INHERIT | ATTR_DISABLED | ATTR_ENABLE_ON_EXEC);
	o.attr.sample_type = 0;
	o.attr.read_format = READ_TOTAL_TIME_ENABLED | READ_TOTAL_TIME_RUNNING;
	attr_encode(&o.attr, key);
	o.attr.size = t->ev->attr.size;
	cpus_online(c->opts->sys_root, &o.cpus);
	if (c->shared) {
		events = shared_events_get(c->opts->bpf_attr_map, key, open_on_cpus, &o, err);
		got = events < 0 ? events : 0;
	} else {
		events = bpf_events_new();
		got = events < 0 ? events : open_on_cpus(&o, events);
	}
	vec_release(&o.cpus);
	if (!got) {
		got = bpf_tasks_counter(c->tasks, (size_t)t->counter, events);
		if (got)
			err_sys(err, -got, "cannot count '%s' by BPF", t->ev->name);
	}
	return got ? -1 : 0;
}

static int start_program(struct task_counts *c, struct err *err)
{
	enum bpf_tasks_kind kinds[BPF_TASKS_COUNTERS];
	struct bpf_tasks_options how = {.kinds = kinds,
					.inherit = c->opts->inherit,
					.slots = c->everything ? 0 : c->threads,
					.by_cpu = c->target->cpus.at[0] >= 0};

	for (size_t i = 0; i < c->events.n; i++)
		if (c->events.at[i].counter >= 0)
			kinds[how.counters++] =
				(enum bpf_tasks_kind)count_tasks_kind_of(c->events.at[i].ev);
	c->tasks = bpf_tasks_new(&how, err);
	if (!c->tasks)
		return -1;
	for (size_t i = 0; i < c->events.n; i++)
		if (c->events.at[i].counter >= 0 &&
		    count_tasks_open_counter(c, &c->events.at[i], err))
			return -1;
	return 0;
}

/* True when the target is only the command's first process, before its exec. */
static bool is_command(const struct target *target, const struct count_options *opts)
{
	return opts->times && opts->times->command_pid && target->tids.n == 1 &&
	       target->tids.at[0] == opts->times->command_pid;
}

static int count_tasks_follow(struct task_counts *c, struct err *err)
{
	bool waits = is_command(c->target, c->opts);
	size_t gone = 0;

	for (size_t i = 0; !c->everything && i < c->target->tids.n; i++) {
		int tid = c->target->tids.at[i];
		int got = bpf_tasks_follow(c->tasks, tid, c->threads > 1 ? (uint32_t)i : 0, waits);

		if (got == -ESRCH && ++gone < c->target->tids.n)
			continue;
		if (got == -ESRCH)
			return err_set(err, ERR_SYSTEM, "the processes to measure have ended");
		if (got)
			return err_sys(err, -got, "cannot follow thread %d by BPF", tid);
	}
	return 0;
}

static struct count count_tasks_value_of(const struct task_counts *c, const struct taken_event *t,
					 size_t cell)
{
	size_t slot = cell % c->threads;
	int cpu = t->cpus.at[cell / c->threads];
	struct bpf_tasks_sums sums = {0};
	uint64_t counted[3] = {0};
	struct count v;

	if (t->counter >= 0)
		bpf_tasks_count(c->tasks, slot, cpu, (size_t)t->counter, counted);
	v = (struct count){counted[0], counted[1], counted[2]};
	if (t->ev->attr.type != TYPE_SOFTWARE || c->everything)
		return v;
	bpf_tasks_sums(c->tasks, slot, cpu, &sums);
	v.enabled = v.running = sums.ns;
	if (t->ev->attr.config == CPU_CLOCK || t->ev->attr.config == TASK_CLOCK)
		v.value = sums.ns;
	else if (t->ev->attr.config == CONTEXT_SWITCHES)
		v.value = sums.switches;
	else if (t->ev->attr.config == CPU_MIGRATIONS)
		v.value = sums.migrations;
	return v;
}

/* Takes over the program of the last run, when no task that it follows is alive. */
static bool take_over(struct task_counts *c, const struct count_source *source)
{
	struct task_counts *old = counting_state(c->opts->before, source);

	if (!old || !old->tasks || old->events.n != c->events.n || bpf_tasks_alive(old->tasks))
		return false;
	for (size_t i = 0; i < c->events.n; i++)
		if (old->events.at[i].ev != c->events.at[i].ev)
			return false;
	c->tasks = old->tasks;
	old->tasks = NULL;
	for (size_t i = 0; i < c->events.n; i++)
		for (size_t k = 0; k < c->events.at[i].cells; k++)
			c->events.at[i].left_out[k] = count_tasks_value_of(c, &c->events.at[i], k);
	return true;
}

static void count_tasks_release(void *state)
{
	struct task_counts *c = state;

	bpf_tasks_free(c->tasks);
	for (size_t i = 0; i < c->events.n; i++) {
		vec_release(&c->events.at[i].cpus);
		free(c->events.at[i].held);
		free(c->events.at[i].left_out);
	}
	vec_release(&c->events);
	free(c);
}

static struct task_counts *count_tasks_begin(const struct target *target,
					     const struct count_options *opts,
					     const struct counts *shape, bool shared)
{
	struct task_counts *c = NEW(struct task_counts);

	*c = (struct task_counts){.opts = opts,
				  .target = target,
				  .shared = shared,
				  .threads = shape->threads.n,
				  .trace.lines = opts->opens};
	c->everything = target->tids.at[0] < 0;
	return c;
}

/* Starts what was collected. */
static int count_tasks_start(struct task_counts *c, const struct count_source *source, bool *taken,
			     struct counts *shape, struct err *err)
{
	for (size_t i = 0; i < c->events.n; i++)
		counting_configure(c->events.at[i].ev, c->opts);
	if ((!take_over(c, source) && start_program(c, err)) || count_tasks_follow(c, err))
		return -1;
	for (size_t i = 0; i < c->events.n; i++) {
		const struct taken_event *t = &c->events.at[i];

		taken[t->ev->index] = true;
		counts_shape(shape, t->ev->index, t->cpus.at, t->cpus.n);
	}
	return 0;
}

static int open_command(void **state, struct event_set *events, const struct target *target,
			const struct count_options *opts, bool *taken, struct counts *shape,
			struct buf *notices, struct err *err)
{
	struct task_counts *c;

	(void)notices, (void)err;
	if (!is_command(target, opts) || target->cpus.at[0] >= 0 || opts->per_thread ||
	    opts->with_ids || opts->all_user || opts->all_kernel || !bpf_allowed() ||
	    !bpf_tasks_exact())
		return 0;
	c = count_tasks_begin(target, opts, shape, false);
	if (collect_software(c, events, taken) &&
	    !count_tasks_start(c, &count_source_bpf_tasks, taken, shape, NULL))
		*state = c;
	else
		count_tasks_release(c); /* ordinary events will do */
	return 0;
}

static int open_shared(void **state, struct event_set *events, const struct target *target,
		       const struct count_options *opts, bool *taken, struct counts *shape,
		       struct buf *notices, struct err *err)
{
	struct task_counts *c = count_tasks_begin(target, opts, shape, true);
	int got = collect_shared(c, events, taken, err);

	(void)notices;
	if (!got && c->events.n)
		got = count_tasks_start(c, &count_source_bpf_shared, taken, shape, err);
	if (!got && c->events.n)
		*state = c;
	else
		count_tasks_release(c);
	return got;
}

static int count_tasks_enable(void *state, bool on, struct err *err)
{
	struct task_counts *c = state;
	int got = bpf_tasks_switch(c->tasks, on);

	return got ? err_sys(err, -got, "cannot %s counting by BPF", on ? "enable" : "disable") : 0;
}

static struct count less(struct count a, const struct count *b)
{
	return (struct count){a.value - b->value, a.enabled - b->enabled, a.running - b->running};
}

static int count_tasks_look(const struct task_counts *c, struct err *err)
{
	int got = bpf_tasks_look(c->tasks);

	return got ? err_sys(err, -got, "cannot read what BPF has counted") : 0;
}

static int switch_one(void *state, const struct event *ev, bool on, struct err *err)
{
	struct task_counts *c = state;

	for (size_t i = 0; i < c->events.n; i++) {
		struct taken_event *t = &c->events.at[i];

		if (t->ev != ev || t->off != on)
			continue;
		if (count_tasks_look(c, err))
			return -1;
		for (size_t k = 0; k < t->cells; k++) {
			struct count now = count_tasks_value_of(c, t, k);

			if (on)
				t->left_out[k] = less(now, &t->held[k]);
			else
				t->held[k] = less(now, &t->left_out[k]);
		}
		t->off = !on;
	}
	return 0;
}

static int read_tasks(void *state, struct counts *out, struct err *err)
{
	struct task_counts *c = state;

	if (count_tasks_look(c, err))
		return -1;
	for (size_t i = 0; i < c->events.n; i++) {
		const struct taken_event *t = &c->events.at[i];

		for (size_t k = 0; k < t->cells; k++) {
			struct count *cell =
				counts_at(out, t->ev->index, t->cpus.at[k / c->threads],
					  (uint32_t)(k % c->threads));

			*cell = t->off ? t->held[k]
				       : less(count_tasks_value_of(c, t, k), &t->left_out[k]);
		}
	}
	return 0;
}

const struct count_source count_source_bpf_tasks = {
	.name = "bpf tasks",
	.bpf = true,
	.open = open_command,
	.enable = count_tasks_enable,
	.switch_one = switch_one,
	.read = read_tasks,
	.release = count_tasks_release,
};

const struct count_source count_source_bpf_shared = {
	.name = "bpf shared",
	.bpf = true,
	.open = open_shared,
	.enable = count_tasks_enable,
	.switch_one = switch_one,
	.read = read_tasks,
	.release = count_tasks_release,
};
