/* SPDX-License-Identifier: MIT */
/*
 * The activity of tasks in a form that can be repeated: each task runs, sleeps until another one
 * wakes it up, and wakes up others. reenact.c repeats it with one thread for each task.
 */
#ifndef ANALYSIS_SCHED_WORKLOAD_H
#define ANALYSIS_SCHED_WORKLOAD_H

#include "base/err.h"
#include "world/world.h"

enum workload_kind { WORKLOAD_RUN, WORKLOAD_SLEEP, WORKLOAD_WAKEUP };

struct workload_atom {
	enum workload_kind kind;
	uint32_t wait; /* which sleep this wake-up ends, from 1 on; 0 of a sleep: nothing was
			  recorded to end it */
	uint64_t ns;   /* of a run */
};

struct workload_task {
	uint32_t tid;
	char comm[24];
	VEC(struct workload_atom) atoms; /* in the order of time */
};

struct workload {
	VEC(struct workload_task) tasks; /* in the order in which they were first seen */
	uint64_t runs, sleeps, wakeups;
	uint64_t merged_runs;	 /* that followed a run of the same task */
	uint64_t vain_wakeups;	 /* of tasks that did not sleep */
	uint64_t double_wakeups; /* of tasks that were woken up already */
	uint32_t waits;
};

/* w: zeroed. 0, or -1 with *err. */
int workload_read(struct workload *w, struct recording *rec, struct world *world, struct err *err);
void workload_release(struct workload *w);

/* Of this machine, ns: what a look at the clock costs, and how much longer a sleep takes than was
 * asked for; how long a run and a sleep of 1 ms take. */
struct workload_clock {
	uint64_t run_overhead, sleep_overhead, run_test, sleep_test;
};
void workload_clock_measure(struct workload_clock *c);

/* Repeats the workload the given number of times (negative: without end). done is called after each
 * time with how long it took, and how much CPU time the tasks used, in ns; it returns 0, or 1 to
 * stop. A sleep ends with its wake-up, a run after its time. 0, or -1 with *err. */
int workload_reenact(const struct workload *w, const struct workload_clock *c, int times,
		     int (*done)(void *ctx, uint64_t took, uint64_t cpu), void *ctx,
		     struct err *err);

#endif
