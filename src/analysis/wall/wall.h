/* SPDX-License-Identifier: MIT */
/*
 * The wall-clock profile: all of the time of each thread, from its first record to its last, as
 * samples whose period is ns.
 *
 * Time on a CPU is what clock samples say: each stands for the thread's time on CPUs since its last
 * one. Each interval off the CPUs is one sample, with the stack that the thread was left in
 * (sched_switch), and is parted by the wake-up (sched_waking, else sched_wakeup) into blocked and
 * runnable time. Recordings of `record --wall` have all that. Where only context switches were
 * recorded (ATTR_CONTEXT_SWITCH: what users may have of their own programs), the stack of waiting
 * is not known, and blocked and runnable time are not told apart but where the thread was
 * preempted. Why a thread waited is known where the recorder looked during the wait
 * (data/wait_state.h).
 *
 * Recordings of `record --wall=sums` have a sample for all times of a thread in one state with the
 * same stack: they tell neither when these times were nor in which order.
 *
 * The sum over the states of a thread is its life. Intervals in which records were lost are in
 * WALL_UNKNOWN.
 */
#ifndef ANALYSIS_WALL_H
#define ANALYSIS_WALL_H

#include "analysis/waits/wait_stacks.h"
#include "analysis/wall/delayed.h"
#include "analysis/wall/wall_frames.h"
#include "analysis/wall/wall_tasks.h"
#include "profile/samples/samples.h"

/* A thread's time in one state, without a break. Time on a CPU comes in pieces. */
struct wall_interval {
	struct thread *thread;
	enum wall_state state;
	uint64_t from, ns;
	/* WALL_NEW: 1 + the index of the thread that made it; else, of the wake-up that ended it: a
	 * value of COL_WAKER */
	uint32_t waker;
	const struct record *stack;	  /* where it was left, or ran last; NULL: not known */
	const struct record *waker_stack; /* of the wake-up; NULL: there was none */
	const char *reason; /* of a wait, where it was recorded by itself; NULL: it was not */
};

/* How many of the recorded threads are on CPUs. */
struct wall_running {
	uint64_t area, at; /* threads times ns, up to .at, a time in ns */
	uint32_t n;	   /* since then */
};

struct wall {
	/* after wall_read() */
	uint64_t threads;	   /* that took part */
	uint64_t lost_samples;	   /* that the kernel tells of */
	uint64_t life_ns;	   /* the sum of their lives */
	uint64_t ns[WALL_STATES];  /* by state */
	uint64_t told_ns; /* of blocked and off-cpu time: with a reason that was recorded */
	bool has_states;  /* such reasons were looked for in each wait: record --wall=switches */
	bool has_stacks;	   /* of waiting: there are sched_switch samples */
	bool has_wakeups;
	bool has_sums;	     /* by record --wall=sums: no interval is known by itself */
	uint64_t begin, end; /* ns: the first record that has a time, and (of intervals) the last */
	/* Called for each interval, in the order in which they end, never with .has_sums; records
	 * that it points to are valid during the call. wall_read() calls it where it was set
	 * before. */
	void (*interval)(void *ctx, const struct wall_interval *interval);
	void *ctx;
	/* Set by the caller, for samples with COL_DELAY: the waits that delayed the program. */
	const struct wall_delayed *delayed;
	/* Set by the caller, for samples with COL_TASK: how tasks are told; NULL: not at all. */
	struct wall_tasks *tasks;
	/* private */
	struct wait_stacks stacks; /* of wakers, for samples with COL_WAKERS or COL_WAKER_STACKS */
	struct wall_frames frames;
	struct samples *samples; /* NULL: none are made */
	size_t events_seen; /* of the recording: a pipe brings them one by one */
	struct event *clock, *states; /* NULL: there is none */
	uint64_t losses;
	struct wall_running running;
	bool system_wide;
};

/*
 * Reads a recording into samples of MODE_WALL, which name its first clock event "wall-clock".
 * other: shown every record that is no sample, as in struct samples_reading; may be NULL.
 * 0, or -1 with *err: the recording doesn't say when threads waited.
 */
int wall_read(struct wall *w, struct samples *samples, struct recording *rec,
	      void (*other)(void *ctx, const struct record *r), void *ctx, struct err *err);
/* Reads a recording for its intervals alone. 0, or -1 with *err, also for one with sums. */
int wall_read_intervals(struct wall *w, struct recording *rec, struct world *world,
			void (*interval)(void *ctx, const struct wall_interval *interval),
			void *ctx, struct err *err);

#endif
