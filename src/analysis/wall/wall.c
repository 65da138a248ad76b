// SPDX-License-Identifier: MIT
#include "analysis/wall/wall_private.h"

#include "analysis/sched/sched_args.h"
#include "data/wait_state.h"
#include "data/wall_sum.h"
#include "os/bpf/state/scheduler_state.h"
#include "profile/table/key/wait_reason.h"

#include <string.h>
#include <time.h>

/* The context of replay's callbacks. */
struct wall_reading {
	struct wall *w;
	void (*other)(void *ctx, const struct record *r);
	void *ctx;
	uint64_t last; /* ns: the latest record */
};

static struct wall *wall_of(struct replay *rp)
{
	return ((struct wall_reading *)rp->ctx)->w;
}

/* perf_sw_ids: PERF_COUNT_SW_CPU_CLOCK, PERF_COUNT_SW_TASK_CLOCK */
static bool is_clock(const struct event *ev)
{
	return ev->attr.type == TYPE_SOFTWARE && ev->attr.config <= 1;
}

/* True for the only event of `record --wall=sums`. A pipe does not tell its name. */
static bool wall_is_sums(const struct event_set *set, const struct event *clock)
{
	const struct attr *a = &clock->attr;

	return !strcmp(clock->name, WALL_SUMS_EVENT) ||
	       (set->events.n == 1 && a->sample_type & SAMPLE_RAW && a->flags & ATTR_USE_CLOCKID &&
		a->clockid == CLOCK_MONOTONIC && a->sample_type & SAMPLE_CALLCHAIN);
}

/* The event whose samples tell where threads wait; NULL: there is none. */
static struct event *wall_find_states(const struct event_set *set)
{
	for (size_t i = 0; i < set->events.n; i++)
		if (wait_states_is_event(set->events.at[i]))
			return set->events.at[i];
	return NULL;
}

/* Finds the clock, switch and wake-up events. Called again when a pipe has brought more. */
static void wall_find_events(struct wall *w, const struct event_set *set)
{
	for (size_t i = 0; i < set->events.n && !w->clock; i++)
		if (is_clock(set->events.at[i]))
			w->clock = set->events.at[i];
	w->events_seen = set->events.n;
	w->states = wall_find_states(set);
	w->has_sums = w->clock && wall_is_sums(set, w->clock);
	if (w->clock && !w->has_sums)
		w->clock->name = "wall-clock";
	w->has_stacks = event_set_find_name(set, "sched:sched_switch");
	w->has_states = w->states && !w->has_stacks;
	w->has_wakeups = event_set_find_name(set, "sched:sched_waking") ||
			 event_set_find_name(set, "sched:sched_wakeup");
}

/* Notes the time, and shows the record to others that want it. */
static void wall_see_record(struct replay *rp, const struct record *r)
{
	struct wall_reading *reading = rp->ctx;

	if (reading->w->events_seen != rp->rec->m.events.events.n)
		wall_find_events(reading->w, &rp->rec->m.events);
	if (rp->time) {
		if (!reading->w->begin)
			reading->w->begin = rp->time;
		reading->last = MAX(reading->last, rp->time);
	}
	if (r->header.type != RECORD_SAMPLE && reading->other)
		reading->other(reading->ctx, r);
}

/* -- samples of the profile -- */

static enum wall_delay wall_delay_of(const struct wall *w, const struct wall_thread *t,
				     enum wall_state state, uint64_t from)
{
	if (!w->delayed ||
	    (state != WALL_BLOCKED && state != WALL_STOPPED && state != WALL_OFF_CPU))
		return WALL_DELAY_NONE;
	return wall_delayed_has(w->delayed, t->thread->tid, from) ? WALL_DELAY_YES : WALL_DELAY_NO;
}

static bool wall_state_waits(enum wall_state state)
{
	return state == WALL_BLOCKED || state == WALL_OFF_CPU;
}

static bool wall_state_has_reason(enum wall_state state)
{
	return wall_state_waits(state) || state == WALL_PREEMPTED;
}

static void wall_add_sample(struct replay *rp, struct wall_thread *t, const struct record *stack,
			    enum wall_state state, uint64_t from, uint64_t ns, uint64_t area)
{
	struct wall *w = wall_of(rp);
	struct record r = {.header.type = RECORD_SAMPLE};

	if (!ns || !w->clock)
		return;
	if (t->losses != w->losses)
		state = WALL_UNKNOWN;
	w->ns[state] += ns;
	w->life_ns += ns;
	w->told_ns += wall_state_waits(state) && t->reason ? ns : 0;
	if (!w->samples)
		return;
	if (stack && stack->header.type)
		r = *stack;
	r.event = w->clock;
	r.sample.type = w->clock->attr.sample_type;
	r.sample.pid = t->thread->pid;
	r.sample.tid = t->thread->tid;
	r.sample.time = r.id.time = from;
	r.sample.period = ns;
	r.id.has |= SAMPLE_TIME;
	w->samples->parallelism = wall_running_mean(area, ns, state == WALL_ON_CPU);
	w->samples->wall.state = state;
	w->samples->wall.waker = state == WALL_ON_CPU ? WALL_NO_WAKER : t->waker;
	w->samples->wall.wakers = w->samples->wall.waker == WALL_NO_WAKER ? 0 : t->wakers;
	w->samples->wall.waker_stacks =
		w->samples->wall.waker == WALL_NO_WAKER ? 0 : t->waker_stacks;
	w->samples->wall.reason = wall_state_has_reason(state) ? t->reason : 0;
	w->samples->wall.delay = wall_delay_of(w, t, state, from);
	w->samples->wall.task = wall_turns_task(&t->turns);
	samples_add(w->samples, &r);
}

static void wall_tell_interval(struct replay *rp, const struct wall_thread *t, enum wall_state as,
			       uint64_t ns)
{
	struct wall *w = wall_of(rp);
	const struct wall_interval interval = {
		.thread = t->thread,
		.state = t->losses == w->losses ? as : WALL_UNKNOWN,
		.from = t->since,
		.ns = ns,
		.waker = as == WALL_NEW	     ? t->maker
			 : as == WALL_ON_CPU ? WALL_NO_WAKER
					     : t->waker,
		.stack = (t->left_known || as == WALL_ON_CPU) && t->left.r.header.type ? &t->left.r
										       : NULL,
		.reason = wall_state_has_reason(as) ? wait_reason_word(t->reason) : NULL,
		.waker_stack = t->waker && t->wakeup.r.header.type ? &t->wakeup.r : NULL,
	};

	if (w->interval && ns)
		w->interval(w->ctx, &interval);
}

static uint64_t wall_elapsed(const struct replay *rp, const struct wall_thread *t)
{
	return rp->time > t->since ? rp->time - t->since : 0;
}

/* Adds the time on CPUs since the last clock sample, with the given stack. */
static void wall_add_cpu_time(struct replay *rp, struct wall_thread *t, const struct record *stack)
{
	wall_add_sample(rp, t, stack, WALL_ON_CPU, t->since, t->cpu_ns, t->cpu_area);
	t->cpu_ns = t->cpu_area = 0;
	t->losses = wall_of(rp)->losses;
}

/* Ends the state of now: time on a CPU waits for its sample, other time becomes one. */
static void wall_leave_state(struct replay *rp, struct wall_thread *t, enum wall_state as)
{
	const uint64_t ns = wall_elapsed(rp, t);
	const uint64_t area = wall_running_area(&wall_of(rp)->running, rp->time) - t->area;

	wall_tell_interval(rp, t, as, ns);
	if (t->state == WALL_ON_CPU) {
		t->cpu_ns += ns;
		t->cpu_area += area;
		return;
	}
	wall_add_sample(rp, t, t->left_known ? &t->left.r : NULL, as, t->since, ns, area);
	t->losses = wall_of(rp)->losses;
}

static void wall_enter_state(struct replay *rp, struct wall_thread *t, enum wall_state state)
{
	struct wall_running *running = &wall_of(rp)->running;

	wall_running_add(running, rp->time, (state == WALL_ON_CPU) - (t->state == WALL_ON_CPU));
	t->state = state;
	t->since = rp->time;
	t->area = running->area;
}

/* A thread of which nothing is known was, since the recording began, in the state that its first
 * record ends. */
static bool wall_begins(struct replay *rp, struct wall_thread *t, enum wall_state before)
{
	struct wall *w = wall_of(rp);

	if (t->ended || w->has_sums || (!t->told && !w->system_wide))
		return false;
	if (t->state != WALL_NONE)
		return true;
	wall_running_add(&w->running, rp->time, before == WALL_ON_CPU);
	t->state = before;
	t->area = w->running.area;
	t->since = w->begin ? w->begin : rp->time;
	t->losses = w->losses;
	w->threads++;
	return true;
}

static void wall_thread_finish(struct replay *rp, struct wall_thread *t)
{
	if (t->ended || t->state == WALL_NONE)
		return;
	wall_leave_state(rp, t, t->state);
	wall_add_cpu_time(rp, t, &t->left.r);
	wall_running_add(&wall_of(rp)->running, rp->time, -(t->state == WALL_ON_CPU));
	t->ended = true;
}

/* -- what happens to a thread -- */

static void wall_switch_in(struct replay *rp, struct wall_thread *t)
{
	if (!wall_begins(rp, t, WALL_OFF_CPU) || t->state == WALL_ON_CPU)
		return;
	/* without the wake-up, when it stopped to be blocked is not known */
	wall_leave_state(rp, t, t->state == WALL_BLOCKED ? WALL_OFF_CPU : t->state);
	wall_enter_state(rp, t, WALL_ON_CPU);
}

/* Keeps the stack of a scheduler's sample, without the frames of a BPF program that took it. */
static void wall_keep_sample(struct replay *rp, const struct wall_thread *t, struct wall_stack *s,
			     const struct record *sample)
{
	const uint32_t epoch = world_epoch(rp->world, t->thread, WORLD_NOW);

	wall_stack_keep(s, sample);
	wall_stack_drop_frames(s, wall_frames_of_programs(&wall_of(rp)->frames, rp->world, epoch,
							  &sample->sample));
}

static void wall_switch_out(struct replay *rp, struct wall_thread *t, enum wall_state state,
			    const struct record *stack)
{
	if (!wall_begins(rp, t, WALL_ON_CPU))
		return;
	/* the kernel drops a record now and then: how long it ran is not known */
	wall_switch_in(rp, t);
	if (stack)
		wall_keep_sample(rp, t, &t->left, stack);
	wall_leave_state(rp, t, t->state);
	wall_enter_state(rp, t, state);
	t->waker = WALL_NO_WAKER;
	t->reason = 0;
	t->left_known = stack != NULL;
}

/* NULL: an idle CPU (tid 0), or a task that has given up its tid (-1) on its way out. */
static struct wall_thread *wall_thread_of(struct replay *rp, uint32_t pid, uint32_t tid)
{
	if (!tid || tid == UINT32_MAX)
		return NULL;
	return replay_thread_state(rp, replay_thread(rp, pid, tid));
}

static bool wall_wants(const struct wall *w, enum column column)
{
	return w->samples && samples_have(w->samples, column);
}

/* Sets the chains of wakers of a wait that ends now. The waker's own last wait is part of them when
 * it ended while t waited. */
static void wall_set_chains(struct replay *rp, struct wall_thread *t, uint32_t waker,
			    const struct record *r)
{
	struct wall *w = wall_of(rp);
	const bool functions = wall_wants(w, COL_WAKERS), stacks = wall_wants(w, COL_WAKER_STACKS);
	const struct wall_thread *by = NULL;
	uint32_t stack = NO_STACK;
	AUTO_BUF text = {0};
	bool goes_on;

	if (!functions && !stacks)
		return;
	if (wall_waker_is_thread(waker))
		by = wall_thread_of(rp, r->sample.pid, r->sample.tid);
	if (by)
		stack = wait_stacks_add(&w->stacks, by->thread, &r->sample);
	goes_on = by && by->woken_at > t->since;
	if (functions)
		t->wakers = waker_links_get(&w->samples->waker_links, waker,
					    wait_stacks_function(&w->stacks, stack),
					    goes_on ? by->wakers : 0);
	if (!stacks)
		return;
	wait_stacks_text(&w->stacks, stack, &text);
	t->waker_stacks =
		waker_links_get(&w->samples->waker_stacks, waker, text.n ? buf_text(&text) : NULL,
				goes_on ? by->waker_stacks : 0);
}

static void wall_wake(struct replay *rp, struct wall_thread *t, uint32_t waker,
		      const struct record *r)
{
	if (!wall_begins(rp, t, WALL_BLOCKED))
		return;
	if (t->state != WALL_BLOCKED && t->state != WALL_STOPPED)
		return; /* woken up in vain, or a second time */
	t->waker = waker;
	wall_set_chains(rp, t, waker, r);
	t->woken_at = rp->time;
	if (wall_of(rp)->interval && wall_waker_is_thread(waker))
		wall_keep_sample(rp, t, &t->wakeup, r);
	else
		wall_stack_forget(&t->wakeup);
	wall_leave_state(rp, t, t->state);
	wall_enter_state(rp, t, WALL_WOKEN);
}

/* -- records -- */

static enum wall_state wall_state_after(uint64_t prev_state)
{
	if (sched_state_runs(prev_state))
		return WALL_PREEMPTED;
	switch (sched_state_letter(prev_state)) {
	case 'T':
	case 't':
		return WALL_STOPPED;
	case 'X':
	case 'Z':
		return WALL_NONE; /* dead */
	}
	return WALL_BLOCKED;
}

/* What a BPF program told of a task that could go on running (a value of COL_REASON). */
static uint32_t wall_told_preemption(const struct replay *rp, const struct record *r)
{
	struct cursor c = cursor_over(r->sample.raw, r->sample.raw_size, rp->rec->m.swap);
	uint32_t told;

	if (r->sample.raw_size != SCHEDULER_SWITCH_SIZE)
		return 0;
	cursor_skip(&c, offsetof(struct scheduler_switch, preemption));
	told = cursor_u32(&c);
	return told == SCHEDULER_PREEMPTED   ? WAIT_RECORDED_PREEMPTED
	       : told == SCHEDULER_THROTTLED ? WAIT_RECORDED_THROTTLED
					     : 0;
}

static int wall_take_switch(struct replay *rp, const struct record *r, const void *v)
{
	const struct sched_switch *s = v;
	const enum wall_state state = wall_state_after(s->prev_state);
	struct wall_thread *prev = wall_thread_of(rp, (uint32_t)-1, (uint32_t)s->prev_pid),
			   *next = wall_thread_of(rp, (uint32_t)-1, (uint32_t)s->next_pid);

	wall_see_record(rp, r);
	if (prev && state == WALL_NONE)
		wall_thread_finish(rp, prev);
	else if (prev)
		wall_switch_out(rp, prev, state, r);
	if (prev && prev->state == WALL_PREEMPTED)
		prev->reason = wall_told_preemption(rp, r);
	if (next)
		wall_switch_in(rp, next);
	return REPLAY_GO;
}

struct wall_wakeup {
	int64_t pid;
	uint64_t flags;
};

static const struct replay_field wall_wakeup_fields[] = {
	{"pid", REPLAY_S64, offsetof(struct wall_wakeup, pid)},
	{"common_flags", REPLAY_U64, offsetof(struct wall_wakeup, flags), .optional = true},
	{0},
};

/* include/linux/trace_events.h: TRACE_FLAG_HARDIRQ, TRACE_FLAG_SOFTIRQ */
#define IN_INTERRUPT (0x08 | 0x10)

/* A value of COL_WAKER. BPF programs of x86 cannot tell interrupts by the flags. */
static uint32_t wall_waker(struct replay *rp, const struct record *r, unsigned int flags)
{
	const struct thread *by = replay_thread(rp, r->sample.pid, r->sample.tid);
	const uint32_t found =
		wall_frames_waker(&wall_of(rp)->frames, rp->world,
				  world_epoch(rp->world, by, WORLD_NOW), &r->sample);

	if (found != WALL_NO_WAKER)
		return found;
	return !r->sample.tid || flags & IN_INTERRUPT ? WALL_INTERRUPT : by->index + 1;
}

static int wall_take_waking(struct replay *rp, const struct record *r, const void *v)
{
	const struct wall_wakeup *wakeup = v;
	struct wall_thread *t;

	wall_see_record(rp, r);
	t = wall_thread_of(rp, (uint32_t)-1, (uint32_t)wakeup->pid);
	if (t)
		wall_wake(rp, t, wall_waker(rp, r, (unsigned int)wakeup->flags), r);
	return REPLAY_GO;
}

/* The second record of a wake-up. */
static int wall_take_queued(struct replay *rp, const struct record *r, const void *v)
{
	(void)v;
	wall_see_record(rp, r);
	return REPLAY_GO;
}

static enum wall_state wall_state_of_sum(uint32_t kind)
{
	static const enum wall_state states[] = {
		[WALL_SUM_KIND_ON_CPU] = WALL_ON_CPU,	[WALL_SUM_KIND_PREEMPTED] = WALL_PREEMPTED,
		[WALL_SUM_KIND_NEW] = WALL_NEW,		[WALL_SUM_KIND_WOKEN] = WALL_WOKEN,
		[WALL_SUM_KIND_BLOCKED] = WALL_BLOCKED, [WALL_SUM_KIND_STOPPED] = WALL_STOPPED,
		[WALL_SUM_KIND_OFF_CPU] = WALL_OFF_CPU, [WALL_SUM_KIND_THROTTLED] = WALL_PREEMPTED,
	};

	return kind && kind < ARRAY_SIZE(states) ? states[kind] : WALL_UNKNOWN;
}

/* A sum of times. Its sample stands at the end of the recording, where maps and names may be others
 * than when the last of these times ended. */
static int wall_take_sum(struct replay *rp, struct wall_thread *t, const struct record *r)
{
	struct wall *w = wall_of(rp);
	struct cursor c = cursor_over(r->sample.raw, r->sample.raw_size, rp->rec->m.swap);
	const uint32_t version = cursor_u32(&c), kind = cursor_u32(&c);
	const uint32_t pid = cursor_u32(&c), tid = cursor_u32(&c);
	const uint64_t last = (cursor_u64(&c), cursor_u64(&c));

	if (c.bad || version != WALL_SUM_VERSION) {
		losses_add(&rp->rec->m.losses, LOSS_CORRUPT, 1, r->offset);
		return REPLAY_GO;
	}
	w->threads += !t->summed;
	t->summed = true;
	t->waker = tid == UINT32_MAX ? WALL_INTERRUPT
		   : tid	     ? replay_thread(rp, pid, tid)->index + 1
				     : WALL_NO_WAKER;
	t->wakers = t->waker_stacks = 0;
	if (t->waker != WALL_NO_WAKER && wall_wants(w, COL_WAKERS))
		t->wakers = waker_links_get(&w->samples->waker_links, t->waker, NULL, 0);
	if (t->waker != WALL_NO_WAKER && wall_wants(w, COL_WAKER_STACKS))
		t->waker_stacks = waker_links_get(&w->samples->waker_stacks, t->waker, NULL, 0);
	t->losses = w->losses;
	t->reason = kind == WALL_SUM_KIND_THROTTLED   ? WAIT_RECORDED_THROTTLED
		    : kind == WALL_SUM_KIND_PREEMPTED ? WAIT_RECORDED_PREEMPTED
						      : 0;
	wall_keep_sample(rp, t, &t->left, r);
	wall_add_sample(rp, t, &t->left.r, wall_state_of_sum(kind), last, r->sample.period,
			0);
	return REPLAY_GO;
}

/* Where a thread waits at that time. A thread that is on a CPU by its other records has just been
 * switched away from, or just run again. */
static int wall_take_wait_state(struct replay *rp, const struct record *r)
{
	struct wall_thread *t = wall_thread_of(rp, r->sample.pid, r->sample.tid);
	struct wait_state_raw raw = {0};

	if (!t || r->sample.raw_size < WAIT_STATE_RAW_SIZE)
		return REPLAY_GO;
	memcpy(&raw, r->sample.raw, sizeof(raw));
	if (rp->rec->m.swap)
		raw.version = __builtin_bswap32(raw.version);
	if (raw.version != WAIT_STATE_VERSION) {
		losses_add(&rp->rec->m.losses, LOSS_CORRUPT, 1, r->offset);
		return REPLAY_GO;
	}
	raw.function[sizeof(raw.function) - 1] = raw.call[sizeof(raw.call) - 1] = 0;
	if (wall_begins(rp, t, WALL_BLOCKED) && wall_state_waits(t->state))
		t->reason = wait_reason_recorded(raw.function, raw.call);
	return REPLAY_GO;
}

/* The thread runs, with this stack: it has been running since what is known of it last. */
static void wall_take_running(struct replay *rp, struct wall_thread *t, const struct record *r)
{
	t->told = true;
	if (!wall_begins(rp, t, WALL_ON_CPU))
		return;
	wall_switch_in(rp, t);
	if (wall_of(rp)->interval)
		wall_stack_keep(&t->left, r);
	wall_leave_state(rp, t, WALL_ON_CPU);
	wall_enter_state(rp, t, WALL_ON_CPU);
	wall_add_cpu_time(rp, t, r);
	wall_stack_keep(&t->left, r);
}

/* A turn of a task begins or ends. Where records were lost, so may have been the end of a turn. */
static int wall_take_turn(struct replay *rp, const struct record *r, const void *v)
{
	const struct event_pair_args *args = v;
	struct wall_thread *t = wall_thread_of(rp, r->sample.pid, r->sample.tid);
	struct wall *w = wall_of(rp);

	wall_see_record(rp, r);
	if (!t || !w->samples)
		return REPLAY_GO;
	wall_take_running(rp, t, r);
	if (t->turn_losses != w->losses)
		t->turns.n = 0;
	t->turn_losses = w->losses;
	wall_turns_take(&t->turns, w->tasks, &w->samples->tasks, r->event, args->value);
	return REPLAY_GO;
}

/* Of the clock; other events don't count time. */
static int wall_take_sample(struct replay *rp, const struct record *r)
{
	struct wall_thread *t;

	wall_see_record(rp, r);
	if (r->event && r->event == wall_of(rp)->states)
		return wall_take_wait_state(rp, r);
	if (!r->event || r->event != wall_of(rp)->clock)
		return REPLAY_GO;
	t = wall_thread_of(rp, r->sample.pid, r->sample.tid);
	if (!t)
		return REPLAY_GO;
	if (wall_of(rp)->has_sums)
		return wall_take_sum(rp, t, r);
	wall_take_running(rp, t, r);
	return REPLAY_GO;
}

/* Context switches of users' own programs. Where there are sched_switch samples these come later,
 * and change nothing. */
static int wall_take_context_switch(struct replay *rp, const struct record *r)
{
	struct wall_thread *t = wall_thread_of(rp, r->id.pid, r->id.tid);

	wall_see_record(rp, r);
	if (!t)
		return REPLAY_GO;
	t->told = true;
	if (!(r->header.misc & MISC_SWITCH_OUT))
		wall_switch_in(rp, t);
	else if (!wall_of(rp)->has_stacks)
		wall_switch_out(
			rp, t, r->header.misc & MISC_SWITCH_PREEMPT ? WALL_PREEMPTED : WALL_BLOCKED,
			NULL);
	return REPLAY_GO;
}

static int wall_take_fork(struct replay *rp, const struct record *r)
{
	struct wall_thread *t = wall_thread_of(rp, r->task.pid, r->task.tid);

	wall_see_record(rp, r);
	if (!t || t->state != WALL_NONE)
		return REPLAY_GO;
	t->told = true;
	if (!rp->time || !wall_begins(rp, t, WALL_NEW))
		return REPLAY_GO;
	t->maker = r->task.ptid ? replay_thread(rp, r->task.ppid, r->task.ptid)->index + 1
				: WALL_NO_WAKER;
	wall_enter_state(rp, t, WALL_NEW);
	return REPLAY_GO;
}

/* A command begins with its exec, on a CPU. */
static int wall_take_comm(struct replay *rp, const struct record *r)
{
	struct wall_thread *t = wall_thread_of(rp, r->comm.pid, r->comm.tid);
	const bool first = t && !t->told && rp->time && r->header.misc & MISC_COMM_EXEC;

	wall_see_record(rp, r);
	if (!t)
		return REPLAY_GO;
	/* names of who may wake others up stand before the recording */
	t->told |= rp->time != 0;
	if (first && t->state == WALL_NONE && wall_begins(rp, t, WALL_ON_CPU))
		wall_enter_state(rp, t, WALL_ON_CPU);
	return REPLAY_GO;
}

static int wall_take_exit(struct replay *rp, const struct record *r)
{
	struct wall_thread *t = wall_thread_of(rp, r->task.pid, r->task.tid);

	wall_see_record(rp, r);
	if (t)
		wall_thread_finish(rp, t);
	return REPLAY_GO;
}

/* One entry, of the tid -1: events are of CPUs. */
static int wall_take_thread_map(struct replay *rp, const struct record *r)
{
	const struct rec_thread_map *map = &r->thread_map;
	struct cursor c = cursor_over(map->bytes, map->size, rp->rec->m.swap);

	wall_see_record(rp, r);
	if (map->nr == 1 && map->size >= 8)
		wall_of(rp)->system_wide = (int64_t)cursor_u64(&c) == -1;
	return REPLAY_GO;
}

static int wall_take_other(struct replay *rp, const struct record *r)
{
	wall_see_record(rp, r);
	if (r->header.type == RECORD_LOST_SAMPLES)
		wall_of(rp)->lost_samples += r->lost_samples.lost;
	return REPLAY_GO;
}

static void wall_lost(struct replay *rp, const struct replay_loss *loss)
{
	(void)loss;
	wall_of(rp)->losses++;
}

static void wall_thread_init(struct replay *rp, void *state, struct thread *of)
{
	struct wall_thread *t = state;

	(void)rp;
	t->thread = of;
}

/* Ends a thread's state at the end of the recording. A thread that has no records but its name
 * slept all the time; in a recording of the whole machine such threads are left out. */
static void wall_thread_end(struct replay *rp, void *state)
{
	const struct wall_reading *reading = rp->ctx;
	struct wall_thread *t = state;

	rp->time = MAX(rp->time, reading->last);
	if (t->state == WALL_NONE && reading->w->system_wide)
		return;
	if (t->told && wall_begins(rp, t, WALL_BLOCKED))
		wall_thread_finish(rp, t);
}

static void wall_thread_release(void *state)
{
	wall_stack_release(&((struct wall_thread *)state)->left);
	wall_stack_release(&((struct wall_thread *)state)->wakeup);
}

static const struct replay_tracepoint wall_tracepoints[] = {
	{"sched:sched_switch", sched_switch_fields, sizeof(struct sched_switch), wall_take_switch},
	{SCHED_WAKING, wall_wakeup_fields, sizeof(struct wall_wakeup), wall_take_waking},
	{"sched:sched_wakeup", wall_wakeup_fields, sizeof(struct wall_wakeup), wall_take_waking,
	 .unless = SCHED_WAKING},
	{"sched:sched_wakeup", NULL, 0, wall_take_queued},
	{0},
};

static const struct replay_handler wall_handlers[] = {
	{RECORD_SAMPLE, wall_take_sample},
	{RECORD_SWITCH, wall_take_context_switch},
	{RECORD_SWITCH_CPU_WIDE, wall_take_context_switch},
	{RECORD_FORK, wall_take_fork},
	{RECORD_COMM, wall_take_comm},
	{RECORD_EXIT, wall_take_exit},
	{RECORD_THREAD_MAP, wall_take_thread_map},
	{0},
};

static const struct replay_analysis wall_analysis = {
	.handlers = wall_handlers,
	.any = wall_take_other,
	.lost = wall_lost,
	.thread = {.size = sizeof(struct wall_thread),
		   .init = wall_thread_init,
		   .end = wall_thread_end,
		   .release = wall_thread_release},
};

/* -- reading -- */

/* was_read: the threads of sums are known. */
static int wall_refuse(const struct wall *w, const struct recording *rec, bool was_read,
		       struct err *err)
{
	const struct event_set *set = &rec->m.events;
	bool switches = w->has_stacks;

	for (size_t i = 0; i < set->events.n; i++)
		switches |= set->events.at[i]->attr.flags & ATTR_CONTEXT_SWITCH;
	if (w->clock && (switches || (w->has_sums && (!was_read || w->threads))))
		return 0;
	err_set(err, ERR_INPUT, "the recording doesn't say when threads waited");
	return err_hint(err, "record it with --wall");
}

static int wall_bind_tasks(struct wall *w, const struct recording *rec,
			   struct replay_tracepoint *rows, struct err *err)
{
	if (rec->is_pipe)
		return err_set(err, ERR_USAGE, "the events of --pair are looked for first: not in "
					       "a pipe");
	return event_pairs_bind(&w->tasks->pairs, &w->tasks->arena, rec, wall_take_turn, rows, err);
}

static int wall_replay(struct wall *w, struct recording *rec, struct world *world,
		       struct wall_reading *reading, struct err *err)
{
	struct replay_tracepoint rows[2 * EVENT_PAIRS_MAX + ARRAY_SIZE(wall_tracepoints)] = {{0}};
	struct replay_analysis how = wall_analysis;
	const size_t n = w->tasks ? 2 * w->tasks->pairs.n : 0;
	struct replay rp;
	int failed;

	wall_find_events(w, &rec->m.events);
	if (!rec->is_pipe && wall_refuse(w, rec, false, err))
		return -1;
	if (n && wall_bind_tasks(w, rec, rows, err))
		return -1;
	memcpy(rows + n, wall_tracepoints, sizeof(wall_tracepoints));
	how.tracepoints = rows;
	replay_init(&rp, rec, world, &how, reading);
	rp.reading.join_chains = true;
	failed = replay_run(&rp, err);
	replay_release(&rp);
	wall_frames_release(&w->frames);
	return failed ? -1 : wall_refuse(w, rec, true, err);
}

static int wall_refuse_sums(const struct wall *w, struct err *err)
{
	if (!w->has_sums)
		return 0;
	err_set(err, ERR_INPUT,
		"the recording has sums of waiting: when, and who for whom, is not in it");
	return err_hint(err, "record it with --wall=bpf");
}

int wall_read(struct wall *w, struct samples *samples, struct recording *rec,
	      void (*other)(void *ctx, const struct record *r), void *ctx, struct err *err)
{
	struct wall_reading reading = {.w = w, .other = other, .ctx = ctx};
	int failed;

	*w = (struct wall){
		.samples = samples, .interval = w->interval, .ctx = w->ctx, .delayed = w->delayed,
		.tasks = w->tasks};
	samples->rec = rec;
	wait_stacks_init(&w->stacks, samples->world, &rec->m);
	failed = wall_replay(w, rec, samples->world, &reading, err);
	wait_stacks_release(&w->stacks);
	if (!failed && samples->opts.filter.times_given)
		failed = wall_refuse_sums(w, err);
	unwound_losses(&samples->words.unwound, &rec->m.losses);
	unwound_before(rec);
	return failed;
}

int wall_read_intervals(struct wall *w, struct recording *rec, struct world *world,
			void (*interval)(void *ctx, const struct wall_interval *interval),
			void *ctx, struct err *err)
{
	struct wall_reading reading = {.w = w};
	int failed;

	*w = (struct wall){.interval = interval, .ctx = ctx};
	failed = wall_replay(w, rec, world, &reading, err);
	w->end = reading.last;
	unwound_before(rec);
	return failed ? failed : wall_refuse_sums(w, err);
}
