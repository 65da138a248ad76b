// SPDX-License-Identifier: MIT
/* Opens events: first with the wanted attributes, then with what this machine and user allow. */
#include "capture/rings/capture.h"

#include "capture/open/open.h"
#include "capture/open/sample_filter.h"
#include "capture/open/scheduler.h"
#include "capture/open/wall_sums.h"
#include "capture/rings/spill.h"
#include "event/filter/filter.h"
#include "os/machine/cgroup.h"
#include "os/machine/cpus.h"
#include "os/process/close_slowly.h"
#include "os/perf.h"
#include "os/rights/rights.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

/* Attribute features that older kernels refuse with EINVAL, newest first. Only features that no
 * option asks for by name, and that a recording can do without. */
static const struct lacking {
	uint64_t read_format, sample_type, flags;
} lacking[] = {
	{.flags = ATTR_DEFER_CALLCHAIN | ATTR_DEFER_OUTPUT}, /* 6.19 */
	{.read_format = READ_LOST},	       /* 6.0 */
	{.sample_type = SAMPLE_WEIGHT_STRUCT}, /* 5.12 */
	{.flags = ATTR_BUILD_ID},	       /* 5.12 */
	{.flags = ATTR_KSYMBOL | ATTR_BPF_EVENT}, /* 5.1 */
};

static bool lacks(const struct attr *a, const struct lacking *l)
{
	return a->read_format & l->read_format || a->sample_type & l->sample_type ||
	       a->flags & l->flags;
}

static void drop_lacking(const struct capture *c, struct attr *a)
{
	for (size_t i = 0; i < ARRAY_SIZE(lacking); i++) {
		if (!(c->missing >> i & 1))
			continue;
		if (a->sample_type & lacking[i].sample_type & SAMPLE_WEIGHT_STRUCT)
			a->sample_type |= SAMPLE_WEIGHT;
		a->read_format &= ~lacking[i].read_format;
		a->sample_type &= ~lacking[i].sample_type;
		a->flags &= ~lacking[i].flags;
	}
}

/* Drops the next feature that may be the cause; false when there is none left. */
static bool blame_next(struct capture *c, const struct attr *a)
{
	for (size_t i = 0; i < ARRAY_SIZE(lacking); i++)
		if (!(c->missing >> i & 1) && lacks(a, &lacking[i])) {
			c->missing |= 1ull << i;
			if (lacking[i].flags & ATTR_DEFER_CALLCHAIN)
				buf_str(&c->notices,
					"This kernel cannot defer call chains (Linux "
					"6.19 can): they are taken with the samples.\n");
			return true;
		}
	return false;
}

static uint32_t wakeup(const struct capture *c, bool side)
{
	uint32_t quarter = (uint32_t)((side ? capture_side_size(c) : c->opts.ring_size) / 4);

	return !side && c->opts.wakeup ? MIN(c->opts.wakeup, quarter) : quarter;
}

/*
 * True for an event sampled by a rate, which is opened system-wide for a command's tree: a task's
 * share shows only on a clock that all tasks share. Where each hit is a sample, per-task events
 * lose nothing.
 */
bool capture_by_rate(const struct attr *a)
{
	return !(a->sample_type & SAMPLE_READ) && a->type != TYPE_TRACEPOINT &&
	       a->type != TYPE_BREAKPOINT && (a->flags & ATTR_FREQ || a->sample_period > 1);
}

/* Groups are opened as a whole. */
static bool group_by_rate(const struct event_set *events, const struct event *ev)
{
	for (size_t i = 0; i < events->events.n; i++)
		if (events->events.at[i]->leader == ev->leader &&
		    !capture_by_rate(&events->events.at[i]->attr))
			return false;
	return true;
}

static bool shared_clock(const struct capture *c, const struct event *ev, bool side)
{
	return c->opts.restricted &&
	       (side || ev->task_fields[0] || group_by_rate(c->events, ev));
}

bool capture_shares_clock(const struct capture *c, const struct event *ev)
{
	return shared_clock(c, ev, false);
}

/* Offset of the time in samples (header, [IDENTIFIER], IP, TID, TIME); 0: not the same in all. */
static size_t sample_time_at(const struct event_set *events)
{
	uint64_t all = ~0ull;

	for (size_t i = 0; i < events->events.n; i++)
		all &= events->events.at[i]->attr.sample_type;
	if ((all & (SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME)) !=
	    (SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME))
		return 0;
	return all & SAMPLE_IDENTIFIER ? 32 : 24;
}

bool capture_gains_by_sharing(const struct event_set *events)
{
	/* Without times the order of samples, execs and forks is not known. */
	if (!sample_time_at(events))
		return false;
	for (size_t i = 0; i < events->events.n; i++)
		if (!events->events.at[i]->side_band && group_by_rate(events, events->events.at[i]))
			return true;
	return false;
}

/* The attribute for the kernel: that of the file, without the side-band work where another event
 * does it. */
static void kernel_attr(const struct capture *c, const struct event *ev, bool side,
			struct attr *out)
{
	*out = ev->attr;
	if (!side)
		out->flags &= ~SIDE_BAND_FLAGS;
	else if (c->opts.build_ids)
		out->flags |= ATTR_BUILD_ID;
	if (side)
		out->flags &= ~ATTR_WRITE_BACKWARD;
	if (!side && ev->unwind_stack) {
		out->sample_type |= SAMPLE_REGS_USER | SAMPLE_STACK_USER;
		out->sample_regs_user |= ev->unwind_regs;
		out->sample_stack_user = ev->unwind_stack;
		out->flags |= ATTR_EXCLUDE_CALLCHAIN_USER;
	}
	if (!out->wakeup_events || side) {
		out->flags |= ATTR_WATERMARK;
		out->wakeup_watermark = wakeup(c, side);
	}
	if (shared_clock(c, ev, side)) {
		out->flags &= ~(ATTR_INHERIT | ATTR_ENABLE_ON_EXEC | ATTR_INHERIT_STAT);
		/* Hardware counters stop while a CPU idles, and some PMUs refuse this flag. */
		if (!side && out->type == TYPE_SOFTWARE)
			out->flags |= ATTR_EXCLUDE_IDLE;
	}
	if (!side && ev->by_program)
		scheduler_attr(out);
	drop_lacking(c, out);
}

void capture_attr(const struct capture *c, const struct event *ev, struct attr *out)
{
	kernel_attr(c, ev, false, out);
}

/* A dummy event that does the side-band work of the first event. Its records have the first event's
 * trailer, and its ids are listed as the first event's. */
static struct event *side_event(struct capture *c)
{
	struct event *tracker = sampling_tracker(c->events), *ev;

	if (tracker->side_band)
		return tracker;
	ev = event_set_add(&c->own, "dummy");
	ev->side_band = true;
	ev->attr = (struct attr){
		.type = TYPE_SOFTWARE,
		.size = tracker->attr.size,
		.config = 9, /* PERF_COUNT_SW_DUMMY */
		.sample_period = 1,
		.sample_type = tracker->attr.sample_type & SAMPLE_ID_FIELDS,
		.read_format = READ_ID | READ_LOST,
		.flags = tracker->attr.flags &
			 (SIDE_BAND_FLAGS | ATTR_DISABLED | ATTR_INHERIT | ATTR_ENABLE_ON_EXEC |
			  ATTR_SAMPLE_ID_ALL | ATTR_USE_CLOCKID),
		.clockid = tracker->attr.clockid,
	};
	return ev;
}

uint32_t capture_stack_size(const struct event *ev, unsigned int level)
{
	/* 65528: a record is shorter than 64 KiB */
	static const uint32_t sizes[STACK_LEVELS] = {0, 32768, 65528};

	return level ? sizes[level] : ev->unwind_stack;
}

static int open_try_open(struct capture *c, const struct counter *k, int group)
{
	const struct event *ev = k->event;
	struct attr attr;
	AUTO_FD group_of_tasks = -1;

	kernel_attr(c, ev, k->side, &attr);
	if (k->level) {
		attr.sample_stack_user = capture_stack_size(ev, k->level);
		attr.flags = (attr.flags | ATTR_DISABLED) & ~ATTR_ENABLE_ON_EXEC;
	}
	if (!ev->cgroup)
		return trace_open(&c->trace, ev, &attr, k->tid, k->cpu, group, 0);
	group_of_tasks = cgroup_open("/sys", ev->cgroup);
	if (group_of_tasks < 0)
		return -errno;
	return trace_open(&c->trace, ev, &attr, group_of_tasks, k->cpu, group, PERF_OPEN_CGROUP);
}

static void rename_event(struct capture *c, struct event *ev)
{
	struct buf b = {0};

	attr_name(&ev->attr, &b);
	ev->name = arena_strdup(&c->events->arena, buf_text(&b));
	buf_release(&b);
}

/* A member of a weak group that does not fit into it counts alone. */
static bool leave_group(struct capture *c, struct event *ev)
{
	struct event *leader = c->events->events.at[ev->leader];

	if (ev->side_band || leader == ev || !leader->weak_group)
		return false;
	leader->members--;
	ev->leader = ev->index;
	ev->members = 1;
	ev->attr.flags |= leader->attr.flags & (ATTR_DISABLED | ATTR_ENABLE_ON_EXEC);
	return true;
}

/*
 * Drops one demand of the event's attribute after the kernel refused it with errno sys. False:
 * there is none left to drop.
 */
static bool give_way(struct capture *c, struct event *ev, bool side, int tid, int sys)
{
	struct attr *a = &ev->attr, seen;
	unsigned int precise = attr_precise(a);

	kernel_attr(c, ev, side, &seen);
	if (a->type == TYPE_HARDWARE && a->config == 0 &&
	    (sys == ENOENT || sys == ENXIO || sys == ENODEV)) {
		buf_printf(&c->notices,
			   "No hardware counter for '%s' here: sampling by 'cpu-clock' instead.\n",
			   ev->name);
		a->type = TYPE_SOFTWARE;
		a->config = 0;
		rename_event(c, ev);
		return true;
	}
	if (precise && ev->precise_max && (sys == EOPNOTSUPP || sys == EINVAL || sys == ENOENT)) {
		a->flags = (a->flags & ~ATTR_PRECISE_MASK) |
			   (uint64_t)(precise - 1) << ATTR_PRECISE_SHIFT;
		return true;
	}
	if ((sys == EACCES || sys == EPERM) && !ev->excludes_given &&
	    !(a->flags & (ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_USER)) && a->type != TYPE_TRACEPOINT &&
	    tid >= 0 && rights_paranoid("/proc") > 1 &&
	    !(sys == EPERM && rights_confined("/proc"))) {
		if (!c->user_only)
			buf_printf(&c->notices, "Not allowed to measure the kernel "
						"(perf_event_paranoid is %d): user space only.\n",
				   rights_paranoid("/proc"));
		c->user_only = true;
		a->flags |= ATTR_EXCLUDE_KERNEL;
		if (!side)
			rename_event(c, ev);
		return true;
	}
	if ((sys == EINVAL || sys == EBADF) && leave_group(c, ev))
		return true;
	return sys == EINVAL && blame_next(c, &seen);
}

static struct counter *leader_counter(struct capture *c, const struct event *ev, int tid, int cpu)
{
	if (ev->side_band || event_is_leader(ev))
		return NULL;
	for (size_t i = c->counters.n; i-- > 0;) {
		struct counter *k = &c->counters.at[i];

		if (k->event->index == ev->leader && !k->side && k->tid == tid && k->cpu == cpu)
			return k;
	}
	return NULL;
}

static int join_ring(const struct counter *k, int owner, struct err *err)
{
	int got = perf_set_output(k->fd, owner);

	return got ? err_sys(err, -got, "cannot join the ring of CPU %d", k->cpu) : 0;
}

/* True when side-band records may share the ring of the samples. */
static bool may_share_ring(const struct capture *c, const struct slot *s)
{
	return !c->opts.restricted && s->data.base && !s->data.backward;
}

static int share_ring(struct capture *c, struct slot *s, const struct counter *k, struct err *err)
{
	s->side_fd = s->data_fd;
	c->one_ring = true;
	return join_ring(k, s->data_fd, err);
}

static int map_or_join(struct capture *c, struct slot *s, struct counter *k, struct err *err)
{
	struct ring *r = k->side ? &s->side : &s->data;
	int *owner = k->side ? &s->side_fd : &s->data_fd, got;
	size_t size = k->side ? capture_side_size(c) : c->opts.ring_size;

	if (*owner >= 0)
		return join_ring(k, *owner, err);
	/* Without times only a ring's order tells which name or map a sample came after. */
	if (k->side && !(k->event->attr.sample_type & SAMPLE_TIME) && may_share_ring(c, s))
		return share_ring(c, s, k, err);
	for (;;) {
		got = ring_open(r, k->fd, size,
				!k->side && k->event->attr.flags & ATTR_WRITE_BACKWARD);
		if (got != -EPERM || (c->opts.ring_size_given && !k->side) || size <= 32768)
			break;
		size /= 2;
	}
	/* -m used up this user's locked memory: side-band and samples share one ring. */
	if (got == -EPERM && k->side && may_share_ring(c, s))
		return share_ring(c, s, k, err);
	if (got)
		return rights_ring(err, -got, size);
	if (!k->side)
		c->opts.ring_size = size;
	*owner = k->fd;
	return 0;
}

static int watch_counter(struct capture *c, const struct counter *k, bool owner)
{
	struct epoll_event e = {.events = EPOLLIN, .data.u64 = (uint64_t)k->fd};

	/* A task's end shows on all of its descriptors: one is enough. */
	if (!owner && (c->target->system_wide || !k->side || k->cpu != c->target->cpus.at[0]))
		return 0;
	if (epoll_ctl(c->epoll, EPOLL_CTL_ADD, k->fd, &e))
		return -1;
	c->watched++;
	return 0;
}

/* Attaches the program that filters the event's samples; made once for each event. */
static int filter_samples(struct capture *c, const struct event *ev, int fd, struct err *err)
{
	struct event_program p = {.event = ev};
	int got;

	for (size_t i = 0; i < c->programs.n; i++)
		if (c->programs.at[i].event == ev) {
			got = perf_set_bpf(fd, c->programs.at[i].fd);
			return got ? err_sys(err, -got, "cannot filter the samples of '%s'",
					     ev->name)
				   : 0;
		}
	p.fd = sample_filter_program(ev, err);
	if (p.fd < 0)
		return -1;
	vec_add(&c->programs, p);
	return filter_samples(c, ev, fd, err);
}

/* Opens one counter, which k describes. 1: opened, 0: the thread has gone, -1 with *err. */
static int open_one(struct capture *c, struct counter k, struct err *err)
{
	struct slot *s = &c->slots.at[k.slot];
	struct event *ev = k.event;
	bool owner, side = k.side;
	int got, tid = k.tid;

	k.cpu = s->cpu;
	k.on_exec = ev->attr.flags & ATTR_ENABLE_ON_EXEC && tid >= 0 && !k.level;
	if (ev->by_program && !side && scheduler_prepare(c, tid < 0 && k.cpu >= 0, err))
		return -1;

	for (;;) {
		struct counter *leader = leader_counter(c, ev, tid, s->cpu);

		k.fd = open_try_open(c, &k, leader ? leader->fd : -1);
		if (k.fd >= 0)
			break;
		if (k.fd == -ESRCH && c->target->tids.n > 1)
			return 0;
		if (!give_way(c, ev, side, tid, -k.fd))
			return rights_explain(err, -k.fd, ev, tid, s->cpu);
	}
	owner = (side ? s->side_fd : s->data_fd) < 0;
	got = perf_id(k.fd, &k.id);
	if (got) {
		err_sys(err, -got, "cannot tell the id of '%s'", ev->name);
		goto failed;
	}
	if (map_or_join(c, s, &k, err))
		goto failed;
	if (!side && ev->filter && (got = perf_set_filter(k.fd, ev->filter))) {
		filter_refused(err, ev, -got);
		goto failed;
	}
	if (!side && ev->sample_filter && filter_samples(c, ev, k.fd, err))
		goto failed;
	if (!side && ev->by_program && (got = scheduler_add(c, &k))) {
		err_sys(err, -got, "cannot let a BPF program write '%s'", ev->name);
		goto failed;
	}
	if (!side && ev->sums_wall && wall_sums_add(c, &k, err))
		goto failed;
	if (watch_counter(c, &k, owner)) {
		err_sys(err, errno, "cannot wait for events");
		goto failed;
	}
	vec_add(&c->counters, k);
	/* The ids of our own side-band event are listed as the first event's. */
	event_set_add_id(
		c->events,
		c->own.events.n && ev == c->own.events.at[0] ? c->events->events.at[0] : ev, k.id);
	return 1;
failed:
	close(k.fd);
	return -1;
}

/* The CPUs of an event's PMU: some PMUs count for several CPUs, and are opened on one of them. */
static int cpus_of(const struct event *ev, struct cpu_list *out, struct err *err)
{
	if (ev->cpus && cpus_parse(ev->cpus, out))
		return err_set(err, ERR_USAGE, "'%s' is not a list of CPUs, of '%s'", ev->cpus,
			       ev->name);
	return 0;
}

static int open_one_event(struct capture *c, struct event *ev, bool side, unsigned int level,
			   struct err *err)
{
	struct cpu_list only = {0};
	int opened = 0;

	if (cpus_of(ev, &only, err))
		return -1;

	for (size_t t = 0; t < c->target->tids.n; t++) {
		int tid = shared_clock(c, ev, side) ? -1 : c->target->tids.at[t];

		for (uint32_t i = 0; i < c->slots.n; i++) {
			struct counter k = {
				.event = ev, .tid = tid, .slot = i, .side = side, .level = level};
			int got;

			if (c->target->cpus.at[0] < 0 && c->slots.at[i].tid != tid)
				continue;
			if (only.n && c->slots.at[i].cpu >= 0 &&
			    !cpus_has(&only, c->slots.at[i].cpu))
				continue;
			got = open_one(c, k, err);
			if (got < 0) {
				vec_release(&only);
				return -1;
			}
			if (!got)
				break;
			opened++;
		}
		if (tid < 0)
			break;
	}
	if (!opened && only.n)
		err_set(err, ERR_USAGE, "'%s' counts on other CPUs: %s", ev->name, ev->cpus);
	else if (!opened)
		err_set(err, ERR_SYSTEM, "the processes to measure have ended");
	vec_release(&only);
	return opened ? 0 : -1;
}

static void make_slots(struct capture *c)
{
	const struct target *t = c->target;
	bool by_thread = t->cpus.at[0] < 0;

	for (size_t i = 0; i < (by_thread ? t->tids.n : t->cpus.n); i++) {
		struct slot *s = vec_extend(&c->slots, 1);

		s->cpu = by_thread ? -1 : t->cpus.at[i];
		s->tid = by_thread ? t->tids.at[i] : -1;
		s->data_fd = s->side_fd = -1;
	}
}

size_t capture_side_size(const struct capture *c)
{
	size_t size = c->opts.ring_size / 4;

	/* Context switches and deferred chains come as often as samples do. */
	if (sampling_tracker(c->events)->attr.flags & (ATTR_CONTEXT_SWITCH | ATTR_DEFER_OUTPUT))
		return c->opts.ring_size;
	return MAX(size, (size_t)65536);
}

/* True when stack dumps are unwound while recording. */
static bool makes_chains(const struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++)
		if (events->events.at[i]->unwind_stack)
			return true;
	return false;
}

/* True when samples hold stack dumps. */
static bool has_stacks(const struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++)
		if (events->events.at[i]->unwind_stack ||
		    events->events.at[i]->attr.sample_type & SAMPLE_STACK_USER)
			return true;
	return false;
}

/* True when an event's stack dumps may grow. */
static bool may_grow(const struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++)
		if (events->events.at[i]->unwind_auto)
			return true;
	return false;
}

static size_t default_ring_size(const struct capture *c)
{
	size_t size;

	/* 516 KiB a CPU is what a user may lock by default: both rings must fit. */
	if (!rights_lock_memory("/proc"))
		return 256 << 10;
	size = c->slots.n <= 8 ? 2 << 20 : c->slots.n <= 32 ? 1 << 20 : 512 << 10;
	/* Events with a record for each hit, or with large records, produce more bytes than a rate
	 * does. */
	for (size_t i = 0; i < c->events->events.n; i++)
		if (c->events->events.at[i]->attr.type == TYPE_TRACEPOINT)
			return 4 * size;
	return may_grow(c->events) ? 8 * size : has_stacks(c->events) ? 4 * size : size;
}

/* A ring must have room for so many stack dumps: unprivileged rings hold as many of the default
 * size. */
#define COPIES_LEAST 32

static int open_levels(struct capture *c, struct err *err)
{
	struct event_set *events = c->events;

	for (unsigned int level = 1; may_grow(events) && level < STACK_LEVELS; level++) {
		if (c->opts.ring_size < (size_t)COPIES_LEAST * capture_stack_size(NULL, level))
			break;
		for (size_t i = 0; i < events->events.n; i++)
			if (events->events.at[i]->unwind_auto &&
			    open_one_event(c, events->events.at[i], false, level, err))
				return -1;
		c->level_most = level;
	}
	if (may_grow(events) && !c->level_most)
		buf_printf(
			&c->notices,
			"Copies of stacks cannot grow: rings of %zu KiB are too small for larger "
			"ones (-m %uK).\n",
			c->opts.ring_size >> 10, COPIES_LEAST * capture_stack_size(NULL, 1) >> 10);
	return 0;
}

/* perf_swevent_start_hrtimer(): the timer behind the clocks never fires sooner. ns. */
#define CLOCK_PERIOD_MIN    10000
#define SOFTWARE_CPU_CLOCK  0
#define SOFTWARE_TASK_CLOCK 1

static uint64_t clock_period(const struct attr *a)
{
	if (a->type != TYPE_SOFTWARE ||
	    (a->config != SOFTWARE_CPU_CLOCK && a->config != SOFTWARE_TASK_CLOCK))
		return 0;
	return a->flags & ATTR_FREQ ? 1000000000 / MAX(a->sample_freq, (uint64_t)1)
				    : a->sample_period;
}

/* Tells the user of clock events whose period is shorter than CLOCK_PERIOD_MIN. */
static void tell_clocks(struct capture *c)
{
	for (size_t i = 0; i < c->events->events.n; i++) {
		const struct event *ev = c->events->events.at[i];
		uint64_t period = clock_period(&ev->attr);

		if (ev->side_band || !period || period >= CLOCK_PERIOD_MIN)
			continue;
		buf_printf(&c->notices,
			   "The kernel samples '%s' no more often than every %d us: periods of "
			   "%llu ns add up to at most %llu %% of the time.\n",
			   ev->name, CLOCK_PERIOD_MIN / 1000, (unsigned long long)period,
			   (unsigned long long)(period * 100 / CLOCK_PERIOD_MIN));
	}
}

int capture_open(struct capture *c, struct event_set *events, const struct target *target,
		 const struct capture_options *opts, struct err *err)
{
	struct event *side;

	*c = (struct capture){.events = events, .target = target, .opts = *opts, .epoll = -1,
			      .trace.lines = opts->opens};
	c->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (c->epoll < 0)
		return err_sys(err, errno, "cannot wait for events");
	make_slots(c);
	if (!c->opts.ring_size)
		c->opts.ring_size = default_ring_size(c);
	perf_raise_files();
	side = side_event(c);
	for (size_t i = 0; i < events->events.n; i++)
		if (events->events.at[i] != side &&
		    open_one_event(c, events->events.at[i], false, 0, err))
			return -1;
	if (open_levels(c, err))
		return -1;
	if (c->user_only)
		side->attr.flags |= ATTR_EXCLUDE_KERNEL;
	if (open_one_event(c, side, true, 0, err))
		return -1;
	/* The file's attributes leave out what this kernel lacks, too. */
	for (size_t i = 0; i < events->events.n; i++)
		drop_lacking(c, &events->events.at[i]->attr);
	tell_clocks(c);
	c->time_at = sample_time_at(events);
	sampled_init(&c->sampled, c);
	c->makes_chains = makes_chains(events);
	if (!opts->lends && !c->makes_chains)
		return 0;
	c->spill = spill_new(c, err);
	return c->spill ? 0 : -1;
}

/* Starts the reopened counters: the side-band first, as at the start. */
static int start_again(struct capture *c, size_t from, const bool *on, struct err *err)
{
	for (int side = 1; side >= 0; side--)
		for (size_t i = from; i < c->counters.n; i++) {
			struct counter *k = &c->counters.at[i];
			int got;

			if (k->side != side || !on[i - from])
				continue;
			got = perf_enable(k->fd);
			if (got)
				return err_sys(err, -got, "cannot start '%s'", k->event->name);
			k->on = true;
		}
	return 0;
}

int capture_reopen(struct capture *c, int cpu, struct err *err)
{
	size_t before = c->counters.n;
	bool *on = mem_alloc(before * sizeof(*on));
	int got = 0;

	for (size_t i = 0; !got && i < before; i++) {
		struct counter k = c->counters.at[i];

		if (k.cpu != cpu || k.tid >= 0 || k.gone)
			continue;
		on[c->counters.n - before] = k.on;
		got = open_one(c,
			       (struct counter){.event = k.event,
						.tid = -1,
						.slot = k.slot,
						.side = k.side,
						.level = k.level},
			       err) < 0;
		c->counters.at[i].gone = !got;
	}
	if (!got)
		got = start_again(c, before, on, err);
	free(on);
	return got ? -1 : 0;
}

/* From so many tracepoints on, a process of its own closes them. */
#define SLOW_CLOSES 4

static int capture_close_slowly(const struct capture *c)
{
	int hold = -1, *fds;
	size_t n = 0, slow = 0;

	for (size_t i = 0; c->events && i < c->events->events.n; i++)
		slow += c->events->events.at[i]->attr.type == TYPE_TRACEPOINT;
	if (slow <= SLOW_CLOSES || !c->counters.n)
		return -1;
	fds = mem_alloc(c->counters.n * sizeof(*fds));
	for (size_t i = 0; i < c->counters.n; i++)
		if (c->counters.at[i].event->attr.type == TYPE_TRACEPOINT)
			fds[n++] = c->counters.at[i].fd;
	close_slowly(fds, n, &hold);
	free(fds);
	return hold;
}

void capture_release(struct capture *c)
{
	int hold;

	for (size_t i = 0; i < c->ahead.n; i++)
		spill_give_back(c->spill, c->ahead.at[i]);
	vec_release(&c->ahead);
	spill_free(c->spill);
	buf_release(&c->cold);
	sampled_release(&c->sampled);
	c->spill = NULL;
	scheduler_release(c);
	wall_sums_release(c);
	hold = capture_close_slowly(c);
	for (size_t i = 0; i < c->slots.n; i++) {
		ring_close(&c->slots.at[i].data);
		ring_close(&c->slots.at[i].side);
	}
	for (size_t i = 0; i < c->counters.n; i++)
		if (c->counters.at[i].fd >= 0)
			close(c->counters.at[i].fd);
	if (c->epoll > 0)
		close(c->epoll);
	if (hold >= 0)
		close(hold);
	vec_release(&c->slots);
	for (size_t i = 0; i < c->programs.n; i++)
		close(c->programs.at[i].fd);
	vec_release(&c->programs);
	vec_release(&c->counters);
	event_set_release(&c->own);
	buf_release(&c->notices);
	buf_release(&c->scratch);
	c->epoll = -1;
}
