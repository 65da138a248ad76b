// SPDX-License-Identifier: MIT
/*
 * Counting with perf descriptors: one for each event, CPU and thread. Takes all events that the
 * other sources leave.
 *
 * A group is opened as a whole: what the kernel says of one of its members may change them all.
 */
#include "capture/count/count.h"

#include "capture/open/open.h"
#include "event/filter/filter.h"
#include "os/process/close_slowly.h"
#include "os/machine/cgroup.h"
#include "os/machine/cpus.h"
#include "os/machine/topology.h"
#include "os/perf.h"
#include "os/rights/rights.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* An event's descriptors. */
struct opened {
	struct event *ev;
	VEC(int) cpus;	/* rows */
	size_t threads; /* columns: those of the target; one for what counts for no task */
	bool of_machine;
	int *fds; /* [row * threads + thread]; -1: none */
	size_t n;
	uint32_t first, members; /* of a leader: its group's range in perf_counts.opened */
};

struct perf_counts {
	struct event_set *events;
	const struct target *target;
	const struct count_options *opts;
	struct buf *notices;
	struct open_trace trace;
	bool started;
	VEC(struct opened) opened; /* groups stand together, leaders first */
	VEC(struct cgroup_fd {
		const char *name;
		int fd;
	}) cgroups;
	VEC(uint64_t) words; /* read() of a group fills it */
};

/* What became of an attempt to open an event. */
enum attempt {
	OPENED,
	LACKING,   /* this machine has no such event */
	AGAIN,	   /* its attribute has changed */
	SPLIT,	   /* its weak group must be taken apart */
	IMPOSSIBLE /* *err */
};

void counting_configure(struct event *ev, const struct count_options *o)
{
	struct attr *a = &ev->attr;
	bool leads = event_is_leader(ev);

	a->sample_period = 0;
	a->flags &= ~(ATTR_FREQ | ATTR_INHERIT | ATTR_DISABLED | ATTR_ENABLE_ON_EXEC);
	a->sample_type = SAMPLE_IDENTIFIER;
	a->read_format = READ_TOTAL_TIME_ENABLED | READ_TOTAL_TIME_RUNNING;
	if (!leads || ev->members > 1)
		a->read_format |= READ_ID | READ_GROUP;
	if (o->inherit && !ev->no_inherit)
		a->flags |= ATTR_INHERIT;
	if (o->all_user)
		a->flags = (a->flags & ~ATTR_EXCLUDE_USER) | ATTR_EXCLUDE_KERNEL;
	if (o->all_kernel)
		a->flags = (a->flags & ~ATTR_EXCLUDE_KERNEL) | ATTR_EXCLUDE_USER;
	if (leads)
		a->flags |= ATTR_DISABLED;
	if (leads && o->on_exec && !ev->of_machine)
		a->flags |= ATTR_ENABLE_ON_EXEC;
}

/* "cycles" is "cycles:u" from now on, "cpu/cycles/" is "cpu/cycles/u". */
static void name_user_only(struct perf_counts *p, struct event *ev)
{
	const char *between = strchr(ev->name, '/') || strchr(ev->name, ':') ? "" : ":";

	ev->name = arena_printf(&p->events->arena, "%s%su", ev->name, between);
}

static bool may_exclude_kernel(const struct event *ev, int tid)
{
	/* A user who may not measure the kernel may not measure whole CPUs either. */
	return tid >= 0 && !ev->excludes_given &&
	       !(ev->attr.flags & (ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_USER)) &&
	       rights_paranoid("/proc") > 1;
}

static int cgroup_of(struct perf_counts *p, const struct event *ev)
{
	struct cgroup_fd c = {.name = ev->cgroup};

	for (size_t i = 0; i < p->cgroups.n; i++)
		if (!strcmp(p->cgroups.at[i].name, ev->cgroup))
			return p->cgroups.at[i].fd;
	c.fd = cgroup_open(p->opts->sys_root, ev->cgroup);
	if (c.fd < 0)
		return -errno;
	vec_add(&p->cgroups, c);
	return c.fd;
}

static bool opens_alone(struct perf_counts *p, const struct event *ev, int tid, int cpu)
{
	struct attr a = ev->attr;
	int pid = ev->cgroup ? cgroup_of(p, ev) : tid;
	int fd;

	a.flags |= ATTR_DISABLED;
	fd = trace_open(&p->trace, ev, &a, pid, cpu, -1, ev->cgroup ? PERF_OPEN_CGROUP : 0);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Changes an event that the kernel refused with errno sys, and says what to do next. */
static enum attempt give_way(struct perf_counts *p, struct event *ev, int tid, int cpu, int sys,
			     struct err *err)
{
	struct event *leader = p->events->events.at[ev->leader];
	unsigned int precise = attr_precise(&ev->attr);

	if (precise && ev->precise_max) {
		ev->attr.flags = (ev->attr.flags & ~ATTR_PRECISE_MASK) |
				 (uint64_t)(precise - 1) << ATTR_PRECISE_SHIFT;
		return AGAIN;
	}
	if (sys == EACCES && may_exclude_kernel(ev, tid)) {
		ev->attr.flags |= ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV;
		name_user_only(p, ev);
		return AGAIN;
	}
	if (leader->members > 1 && leader->weak_group &&
	    (leader == ev || sys == EINVAL || sys == EBADF) && sys != EACCES && sys != EPERM &&
	    sys != EMFILE)
		return SPLIT;
	/* Some PMUs (AMD's IBS) cannot exclude guests, and the user did not ask for it. */
	if (sys == EINVAL && ev->attr.flags & ATTR_EXCLUDE_GUEST && !ev->guest_given &&
	    ev->attr.type >= TYPE_RAW && event_is_leader(ev)) {
		ev->attr.flags &= ~ATTR_EXCLUDE_GUEST;
		return AGAIN;
	}
	if (sys != ENOENT && sys != ENODEV && sys != ENXIO && sys != EOPNOTSUPP && sys != EINVAL &&
	    sys != EBADF) {
		rights_explain(err, sys, ev, tid, cpu);
		return IMPOSSIBLE;
	}
	if (leader != ev && sys == EINVAL && opens_alone(p, ev, tid, cpu)) {
		err_set(err, ERR_UNSUPPORTED, "'%s' cannot be in one group with '%s'", ev->name,
			leader->name);
		err_hint(err, "a group is counted all at once, and the hardware has no room for "
			      "it: make it smaller, or let it be split where need be with ':W'");
		return IMPOSSIBLE;
	}
	if (leader == ev && ev->members > 1) {
		err_set(err, ERR_UNSUPPORTED, "this machine has no event '%s'", ev->name);
		err_hint(err, "it leads a group, whose other events it would take along: count it "
			      "apart from them, or lead by another one");
		return IMPOSSIBLE;
	}
	return LACKING;
}

static int count_perf_try_open(struct perf_counts *p, struct event *ev, int tid, int cpu, int group)
{
	unsigned int flags = ev->cgroup ? PERF_OPEN_CGROUP : 0;
	int pid = ev->cgroup ? cgroup_of(p, ev) : tid, fd;

	fd = trace_open(&p->trace, ev, &ev->attr, pid, cpu, group, flags);
	if (fd != -EMFILE)
		return fd;
	perf_raise_files();
	return trace_open(&p->trace, ev, &ev->attr, pid, cpu, group, flags);
}

static void count_perf_close_all(struct opened *o)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->fds[i] >= 0)
			close(o->fds[i]);
	free(o->fds);
	vec_release(&o->cpus);
	*o = (struct opened){.ev = o->ev};
}

/* One CPU of the target for each socket. */
static void one_a_socket(const struct perf_counts *p, struct opened *o)
{
	struct topology machine = {0};
	VEC(int) seen = {0};

	topology_read(&machine, p->opts->sys_root);
	for (size_t i = 0; i < p->target->cpus.n; i++) {
		const struct topology_cpu *c = topology_find(&machine, p->target->cpus.at[i]);
		int socket = c ? c->socket : -1;
		bool again = false;

		for (size_t k = 0; k < seen.n; k++)
			again |= seen.at[k] == socket;
		if (again)
			continue;
		vec_add(&seen, socket);
		vec_add(&o->cpus, p->target->cpus.at[i]);
	}
	vec_release(&seen);
	topology_release(&machine);
}

/* Sets the CPUs that an event is opened on: the target's CPUs that its PMU covers. When the target
 * is tasks, an event of a PMU that cannot count for tasks is opened on that PMU's CPUs, and so are
 * the members of its group. */
static int count_perf_rows_of(const struct perf_counts *p, const struct event *ev,
			      const struct opened *leader, struct opened *o, struct err *err)
{
	const struct target *t = p->target;
	struct cpu_list only = {0};
	bool tasks = t->cpus.at[0] < 0;

	o->of_machine = tasks && (leader ? leader->of_machine : ev->of_machine && ev->cpus);
	o->threads = o->of_machine ? 1 : t->tids.n;
	if (o->of_machine && leader) {
		for (size_t i = 0; i < leader->cpus.n; i++)
			vec_add(&o->cpus, leader->cpus.at[i]);
		return 0;
	}
	if (ev->cpus && cpus_parse(ev->cpus, &only))
		return err_set(err, ERR_USAGE, "'%s' is not a list of CPUs, of '%s'", ev->cpus,
			       ev->name);
	if (o->of_machine || (tasks && ev->fixed & FIXED_CPUS))
		for (size_t i = 0; i < only.n; i++)
			vec_add(&o->cpus, only.at[i]);
	for (size_t i = 0; i < t->cpus.n && !(tasks && o->cpus.n); i++)
		if (tasks || !only.n || cpus_has(&only, t->cpus.at[i]))
			vec_add(&o->cpus, t->cpus.at[i]);
	vec_release(&only);
	if (!o->cpus.n && ev->fixed & FIXED_CPUS)
		return err_set(err, ERR_USAGE, "'%s' counts on other CPUs: %s", ev->name, ev->cpus);
	/* A PMU with one CPU for a whole socket: the kernel accepts any CPU of the socket. */
	if (!o->cpus.n)
		one_a_socket(p, o);
	return 0;
}

static int set_filter(const struct event *ev, int fd, struct err *err)
{
	int got = ev->filter ? perf_set_filter(fd, ev->filter) : 0;

	return got ? filter_refused(err, ev, -got) : 0;
}

/* The group leader's descriptor for a member's counter on this CPU and thread; -1: there is
 * none. */
static int group_fd(const struct opened *leader, int cpu, size_t thread)
{
	for (size_t row = 0; row < leader->cpus.n; row++)
		if (leader->cpus.at[row] == cpu)
			return leader->fds[row * leader->threads + thread];
	return -1;
}

/* Opens one event on all its CPUs and threads; leader: that of its group, or NULL. */
static enum attempt count_perf_open_event(struct perf_counts *p, struct opened *o,
					  const struct opened *leader, struct err *err)
{
	size_t gone = 0;
	struct event *ev = o->ev;
	int fd;

	if (ev->cgroup && (fd = cgroup_of(p, ev)) < 0) {
		rights_explain(err, -fd, ev, -1, -1);
		return IMPOSSIBLE;
	}
	if (count_perf_rows_of(p, ev, leader, o, err))
		return IMPOSSIBLE;
	o->n = o->cpus.n * o->threads;
	o->fds = mem_alloc(o->n * sizeof(*o->fds));
	for (size_t i = 0; i < o->n; i++)
		o->fds[i] = -1;
	for (size_t i = 0; i < o->n; i++) {
		int tid = o->of_machine ? -1 : p->target->tids.at[i % o->threads];
		int cpu = o->cpus.at[i / o->threads];
		int group = leader ? group_fd(leader, cpu, i % o->threads) : -1;

		fd = leader && group < 0 ? -ESRCH : count_perf_try_open(p, ev, tid, cpu, group);
		if (fd >= 0) {
			o->fds[i] = fd;
			if (set_filter(ev, fd, err))
				return IMPOSSIBLE;
			continue;
		}
		if (fd == -ESRCH && o->threads > 1) {
			gone++;
			continue;
		}
		return give_way(p, ev, tid, cpu, -fd, err);
	}
	if (gone == o->n) {
		err_set(err, ERR_SYSTEM, "the processes to measure have ended");
		return IMPOSSIBLE;
	}
	return OPENED;
}

static void count_perf_split(struct event_set *events, struct event *leader,
			     const struct count_options *opts)
{
	for (size_t i = 0; i < events->events.n; i++) {
		struct event *ev = events->events.at[i];

		if (ev->leader != leader->index)
			continue;
		ev->leader = ev->index;
		ev->members = 1;
		ev->weak_group = false;
		counting_configure(ev, opts);
	}
}

static void say_lacking(struct perf_counts *p, const struct event *ev)
{
	if (p->opts->explain)
		buf_printf(p->notices, "Warning:\n%s event is not supported by the kernel.\n",
			   ev->name);
}

/* Opens a group, or an event that is alone. An event that this machine lacks stays without
 * descriptors. */
static enum attempt open_group(struct perf_counts *p, struct event *leader, bool *taken,
			       struct err *err)
{
	size_t first = p->opened.n, members = leader->members;

	for (size_t i = leader->index; i < p->events->events.n; i++) {
		struct event *ev = p->events->events.at[i];
		struct opened o = {.ev = ev};
		enum attempt got;

		if (ev->leader != leader->index)
			continue;
		do {
			count_perf_close_all(&o);
			got = count_perf_open_event(
				p, &o, ev == leader ? NULL : &p->opened.at[first], err);
		} while (got == AGAIN);
		if (got == LACKING) {
			say_lacking(p, ev);
			count_perf_close_all(&o);
			taken[ev->index] = true;
			if (ev == leader)
				break;
			continue;
		}
		if (got != OPENED) {
			count_perf_close_all(&o);
			while (p->opened.n > first) {
				struct opened *last = &p->opened.at[--p->opened.n];

				taken[last->ev->index] = false;
				count_perf_close_all(last);
			}
			return got;
		}
		taken[ev->index] = true;
		vec_add(&p->opened, o);
		if (p->opened.n - first == members)
			break;
	}
	if (p->opened.n > first) {
		p->opened.at[first].first = (uint32_t)first;
		p->opened.at[first].members = (uint32_t)(p->opened.n - first);
	}
	return OPENED;
}

/* Gives events the kernel's ids of their counters, in the order of the cells. */
static int learn_ids(struct perf_counts *p, struct err *err)
{
	for (size_t i = 0; i < p->opened.n; i++) {
		struct opened *o = &p->opened.at[i];

		for (size_t k = 0; k < o->n; k++) {
			uint64_t id;
			int got = o->fds[k] >= 0 ? perf_id(o->fds[k], &id) : 0;

			if (got)
				return err_sys(err, -got, "cannot tell the id of '%s'",
					       o->ev->name);
			if (o->fds[k] >= 0)
				event_set_add_id(p->events, o->ev, id);
		}
	}
	return 0;
}

static void perf_release(void *state);

static int perf_source_open(void **state, struct event_set *events, const struct target *target,
			    const struct count_options *opts, bool *taken, struct counts *shape,
			    struct buf *notices, struct err *err)
{
	struct perf_counts *p = NEW(struct perf_counts);

	*p = (struct perf_counts){.events = events, .target = target, .opts = opts,
				  .notices = notices, .trace.lines = opts->opens};
	for (size_t i = 0; i < events->events.n; i++)
		if (!taken[i])
			counting_configure(events->events.at[i], opts);
	for (size_t i = 0; i < events->events.n; i++) {
		struct event *ev = events->events.at[i];
		enum attempt got;

		if (taken[i] || !event_is_leader(ev))
			continue;
		got = open_group(p, ev, taken, err);
		if (got == SPLIT) {
			/* Its members come later in the set, each as its own leader. */
			count_perf_split(events, ev, opts);
			got = open_group(p, ev, taken, err);
		}
		if (got != OPENED)
			goto failed;
	}
	for (size_t i = 0; i < p->opened.n; i++)
		counts_shape(shape, p->opened.at[i].ev->index, p->opened.at[i].cpus.at,
			     p->opened.at[i].cpus.n);
	if (opts->with_ids && learn_ids(p, err))
		goto failed;
	*state = p;
	return 0;
failed:
	perf_release(p);
	return -1;
}

static int switch_event(struct opened *o, bool on, struct err *err)
{
	for (size_t i = 0; i < o->n; i++) {
		int got = o->fds[i] < 0 ? 0 : on ? perf_enable(o->fds[i]) : perf_disable(o->fds[i]);

		if (got)
			return err_sys(err, -got, "cannot %s '%s'", on ? "enable" : "disable",
				       o->ev->name);
	}
	return 0;
}

static int perf_source_enable(void *state, bool on, struct err *err)
{
	struct perf_counts *p = state;

	for (size_t i = 0; i < p->opened.n; i++) {
		struct opened *o = &p->opened.at[i];

		if (!event_is_leader(o->ev) ||
		    (on && !p->started && p->opts->on_exec && !o->ev->of_machine))
			continue;
		if (switch_event(o, on, err))
			return -1;
	}
	p->started |= on;
	return 0;
}

static int perf_source_switch(void *state, const struct event *ev, bool on, struct err *err)
{
	struct perf_counts *p = state;

	for (size_t i = 0; i < p->opened.n; i++)
		if (p->opened.at[i].ev == ev && switch_event(&p->opened.at[i], on, err))
			return -1;
	return 0;
}

static struct count *cell(struct counts *out, const struct opened *o, size_t i)
{
	struct event_counts *e = &out->events.at[o->ev->index];
	size_t threads = o->threads;

	/* The rows are in the same order unless the target's CPUs are not in ascending order. */
	if (e->cpus.at[i / threads] != o->cpus.at[i / threads])
		return counts_at(out, o->ev->index, o->cpus.at[i / threads],
				 out->threads.n == 1 ? 0 : (uint32_t)(i % threads));
	return &e->at.at[out->threads.n == threads ? i : i / threads * out->threads.n];
}

static void count_perf_add(struct count *c, uint64_t value, uint64_t enabled, uint64_t running)
{
	c->value += value;
	c->enabled += enabled;
	c->running += running;
}

/* read() gives: number of members, enabled, running, then value and id of each in the order of
 * opening. */
static int read_group(struct perf_counts *p, const struct opened *leader, size_t i,
		      struct counts *out, struct err *err)
{
	uint64_t *w = p->words.at;
	long got = perf_read(leader->fds[i], w, p->words.n);
	size_t at = 3;

	if (!got) /* pinned, and without its counters */
		return 0;
	if (got < 24)
		return err_sys(err, got < 0 ? (int)-got : EIO, "cannot read '%s'",
			       leader->ev->name);
	for (size_t m = 0; m < leader->members; m++) {
		const struct opened *o = &p->opened.at[leader->first + m];

		if (i >= o->n || o->fds[i] < 0 || at + 2 > (size_t)got / sizeof(*w))
			continue;
		count_perf_add(cell(out, o, i), w[at], w[1], w[2]);
		at += 2;
	}
	return 0;
}

static int perf_source_read(void *state, struct counts *out, struct err *err)
{
	struct perf_counts *p = state;
	uint32_t most = 1;

	for (size_t k = 0; k < p->opened.n; k++)
		most = MAX(most, p->opened.at[k].members);
	if (p->words.n < 3 + 2 * (size_t)most)
		(void)vec_extend(&p->words, 3 + 2 * (size_t)most);
	for (size_t k = 0; k < p->opened.n; k++) {
		const struct opened *o = &p->opened.at[k];
		bool group = o->ev->attr.read_format & READ_GROUP;

		if (!event_is_leader(o->ev))
			continue;
		for (size_t i = 0; i < o->n; i++) {
			uint64_t *w = p->words.at;
			long got;

			if (o->fds[i] < 0)
				continue;
			if (group) {
				if (read_group(p, o, i, out, err))
					return -1;
				continue;
			}
			got = perf_read(o->fds[i], w, 3);
			if (!got) /* pinned, and without its counter */
				continue;
			if (got < 24)
				return err_sys(err, got < 0 ? (int)-got : EIO, "cannot read '%s'",
					       o->ev->name);
			count_perf_add(cell(out, o, i), w[0], w[1], w[2]);
		}
	}
	return 0;
}

/* From so many tracepoints on, a process of its own closes them. */
#define SLOW_CLOSES 4

static int perf_counts_close_slowly(const struct perf_counts *p)
{
	VEC(int) fds = {0};
	size_t slow = 0;
	int hold = -1;

	for (size_t i = 0; i < p->opened.n; i++)
		slow += p->opened.at[i].ev->attr.type == TYPE_TRACEPOINT;
	if (slow <= SLOW_CLOSES)
		return -1;
	for (size_t i = 0; i < p->opened.n; i++) {
		const struct opened *o = &p->opened.at[i];

		for (size_t k = 0; o->ev->attr.type == TYPE_TRACEPOINT && k < o->n; k++)
			if (o->fds[k] >= 0)
				vec_add(&fds, o->fds[k]);
	}
	close_slowly(fds.at, fds.n, &hold);
	vec_release(&fds);
	return hold;
}

static void perf_release(void *state)
{
	struct perf_counts *p = state;
	int hold = perf_counts_close_slowly(p);

	for (size_t i = p->opened.n; i-- > 0;)
		count_perf_close_all(&p->opened.at[i]);
	if (hold >= 0)
		close(hold);
	for (size_t i = 0; i < p->cgroups.n; i++)
		close(p->cgroups.at[i].fd);
	vec_release(&p->opened);
	vec_release(&p->cgroups);
	vec_release(&p->words);
	free(p);
}

const struct count_source count_source_perf = {
	.name = "perf",
	.open = perf_source_open,
	.enable = perf_source_enable,
	.switch_one = perf_source_switch,
	.read = perf_source_read,
	.release = perf_release,
};
