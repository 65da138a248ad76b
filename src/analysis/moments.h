/* SPDX-License-Identifier: MIT */
/*
 * Moments: what a recording tells of single points in time, for exporters that draw a time line.
 * Samples of tracepoints with their text, context switches, the spans in which a task ran, and
 * losses.
 *
 *   moments_read(&m, rec, filter, only, &err)
 *   moments_release(&m)
 *
 * Reads the recording once more, in the order of time, so it cannot be a pipe.
 */
#ifndef ANALYSIS_MOMENTS_H
#define ANALYSIS_MOMENTS_H

#include "analysis/stacks.h"
#include "data/recording.h"
#include "world/filter.h"

/* A sample of a tracepoint. A tracepoint sched:sched_switch that was recorded at each switch, not
 * sampled, is a moment_switch instead. */
struct moment_event {
	uint64_t time; /* ns, as recorded */
	uint32_t pid, tid;
	int32_t cpu;	  /* -1: not recorded */
	uint32_t event;	  /* index in the recording's event set */
	const char *text; /* as `perf script` formats it; "" when the format is not known */
};

/* A CPU goes from one task to the next. Task 0 is the idle task. */
struct moment_switch {
	uint64_t time;
	int32_t cpu;
	uint32_t prev_pid, prev_tid, next_tid; /* prev_pid: its process; UINT32_MAX: not recorded */
	int32_t prev_prio, next_prio;	       /* 0: not recorded */
	uint64_t prev_state;		       /* as in the tracepoint; 0: runnable */
	const char *prev_comm, *next_comm;     /* "": not recorded */
};

/* A task had a CPU, from one switch to the next. */
struct moment_run {
	uint64_t from, to;
	uint32_t pid, tid; /* pid UINT32_MAX: not recorded */
	int32_t cpu;
	bool preempted;	  /* it was still runnable at its end */
	const char *comm; /* at its end; "": not known */
};

struct moment_loss {
	uint64_t time;
	uint64_t events; /* 0: unknown number (damage) */
	int32_t cpu;	 /* -1: unknown */
};

/* All sorted by time, runs by their ends. All zero is valid and empty. */
struct moments {
	VEC(struct moment_event) events;
	VEC(struct moment_switch) switches;
	VEC(struct moment_run) runs;
	VEC(struct moment_loss) losses;
	uint64_t first;	     /* the earliest time of all; UINT64_MAX: there is none */
	struct intern texts; /* private */
};

/*
 * filter may be NULL; its times, CPUs, pids and tids count. only: when not NULL, events, and runs
 * of tasks, that are not among its threads are left out. 0, or -1 with *err.
 */
int moments_read(struct moments *m, struct recording *rec, const struct filter *filter,
		 const struct stacks *only, struct err *err);
void moments_release(struct moments *m);

#endif
