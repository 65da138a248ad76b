/* SPDX-License-Identifier: MIT */
/* The fields of the scheduler's tracepoints, as analyses of it bind them. */
#ifndef ANALYSIS_SCHED_SCHED_ARGS_H
#define ANALYSIS_SCHED_SCHED_ARGS_H

#include "world/replay/replay.h"

struct sched_switch { /* sched:sched_switch */
	int64_t prev_pid, next_pid;
	uint64_t prev_state;
	int64_t prev_prio, next_prio; /* of the kernel: 0 to 99 real-time, 120 + nice for others */
	struct replay_bytes prev_comm, next_comm;
};
struct sched_wakeup { /* sched:sched_wakeup, sched_wakeup_new, sched_waking */
	int64_t pid;
};
struct sched_runtime { /* sched:sched_stat_runtime */
	int64_t pid;
	uint64_t runtime; /* ns */
};
struct sched_migrate { /* sched:sched_migrate_task */
	int64_t pid, orig_cpu, dest_cpu;
};

/* The numbers of the first alone, for analyses that leave the names to the world. */
extern const struct replay_field sched_switch_numbers[];
/* The next task alone. */
extern const struct replay_field sched_switch_next[];
/* The numbers with priorities, and the name of the next task. */
extern const struct replay_field sched_switch_history[];
extern const struct replay_field sched_switch_fields[], sched_wakeup_fields[],
	sched_runtime_fields[], sched_migrate_fields[];

/*
 * A task that is switched away from while it could go on running. Since Linux 4.14 a preempted task
 * has a flag in prev_state above those of all states; before, it had TASK_STATE_MAX of that kernel.
 * (perf 6.1 takes these for tasks that sleep.)
 */
static inline bool sched_state_runs(uint64_t prev_state)
{
	/* TASK_REPORT_MAX; TASK_STATE_MAX of 3.x to 4.13: 1024, 2048, 4096 */
	const uint64_t preempted = 0x100 | 0x400 | 0x800 | 0x1000;

	return !(prev_state & ~preempted);
}
/* The letter of a state, as perf shows it: the lowest bit decides. 'R' of a task that could go on,
 * '?' of an unknown one. */
char sched_state_letter(uint64_t prev_state);

/* A machine has no more CPUs than that, whatever its recording says. */
#define SCHED_CPUS_MAX 8192
void sched_count_wrong_cpu(struct replay *rp, const struct record *r); /* private */
/* True when the machine has the sample's CPU. A sample of another one is damaged, and counts as
 * that. */
static inline bool sched_has_cpu(struct replay *rp, const struct record *r)
{
	const uint32_t told = rp->rec->nr_cpus_avail;

	if (r->sample.cpu < (told ? MIN(told, SCHED_CPUS_MAX) : SCHED_CPUS_MAX))
		return true;
	sched_count_wrong_cpu(rp, r);
	return false;
}

/* A wake-up is recorded twice: when it is asked for (this one), and when the task is queued
 * (sched_wakeup). The second says nothing in recordings that have the first. */
#define SCHED_WAKING "sched:sched_waking"

#endif
