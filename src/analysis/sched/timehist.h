/* SPDX-License-Identifier: MIT */
/*
 * The times of each task between two switches: how long it waited, was ready to run, and ran. There
 * is one row for each switch, and sums of each task.
 *
 *  -----|------------|------------|------------|------
 *     switched     woken up    switched     switched
 *     out before                in           out: the row
 *       |---------- wait ---------|
 *                    |-- delay ---|---- run ---|
 */
#ifndef ANALYSIS_SCHED_TIMEHIST_H
#define ANALYSIS_SCHED_TIMEHIST_H

#include "world/filter.h"
#include "world/world.h"

/* Running mean and spread. */
struct sched_spread {
	uint64_t n;
	double mean, squares; /* squares: of the distances from the mean, summed up */
	uint64_t min, max;
};
double sched_spread_percent(
	const struct sched_spread *s); /* the mean's standard error, in % of the mean */

struct timehist_task {
	struct thread *thread; /* NULL: the idle task of a CPU */
	/* private: first, since each record of the task needs them */
	uint64_t last_time, last_state, ready, migrated;
	int64_t prio; /* when it was switched in last, with has_prio */
	bool has_prio;
	bool lost;
	/* of its last row, ns */
	uint64_t sleep, iowait, preempt, delay, run;
	/* of delay: on the run queue of a CPU from which it was migrated before it ran */
	uint64_t pre_migration;
	/* sums of all, ns */
	uint64_t total_sleep, total_iowait, total_preempt, total_delay, total_run;
	struct sched_spread runs;
	uint64_t migrations;
	uint64_t uncertain; /* rows before which records were lost since the task ran last */
	struct thread *last_thread; /* private: of an idle task: what ran before it */
};

enum timehist_kind { TIMEHIST_SWITCH, TIMEHIST_WAKEUP, TIMEHIST_MIGRATION, TIMEHIST_LOST };

struct timehist_row {
	enum timehist_kind kind;
	uint64_t time; /* ns; of a switch after the end of --time, that end */
	uint32_t cpu;
	const struct timehist_task *task; /* of a switch: what ran */
	struct thread *by;		  /* of a wake-up or migration: the task on that CPU */
	const struct timehist_task
		*other;		    /* of a wake-up or migration: the task that it is about */
	int64_t orig_cpu, dest_cpu; /* of a migration */
	uint64_t state;		    /* of a switch: prev_state */
	int64_t prio_in, prio_out;  /* of a switch, with .prios: when the task was switched in, and
				       out */
	const char *next_comm;	    /* of a switch; not terminated */
	size_t next_comm_n;
	int64_t next_pid;
	uint64_t lost; /* events */
	const struct record *record;
};

struct timehist_options {
	bool wakeups, migrations; /* have rows */
	bool idle; /* only of switches from and to idle tasks; sums of tasks are of the idle time
		      after them */
	bool summary_only;	      /* no rows */
	bool prios;		      /* of tasks are followed */
	bool next;		      /* rows of switches have .next_comm */
	struct number_list prio_list; /* .given, with .prios: only tasks switched in with these */
	bool pre_migrations;	      /* are measured */
	bool one_cpu_list;	      /* only these CPUs count: */
	struct number_list cpus;
	struct number_list pids, tids;
	struct name_list comms;
	uint64_t start, end; /* of the time that counts; 0: not given */
};

struct timehist {
	const struct timehist_options *opts;
	struct replay *rp;
	uint64_t start, end;		  /* of what was seen within the time that counts */
	uint64_t filtered;		  /* samples of tasks that were not asked for */
	uint64_t uncertain, uncertain_ns; /* rows before which records were lost, and how long they
					     ran and waited */
	uint32_t max_cpu; /* the greatest that was seen, not below its first value */
	/* set by the caller */
	int (*show)(void *ctx, struct timehist *t, const struct timehist_row *row);
	void (*idle)(void *ctx, struct timehist *t, uint32_t cpu, uint64_t ns,
		     const struct record *began);
	void *ctx;
	/* private */
	VEC(uint64_t) switched; /* by CPU: the time of its last switch */
};

/*
 * t: zeroed, but for .max_cpu (how many CPUs the machine has), .show, .idle and .ctx. .show is
 * called for each row, in the order of time; it returns 0, or 1 to stop. .idle (or NULL) is called
 * when a CPU becomes idle, with that switch (began), and when it was idle for ns. rp, which is not
 * initialized, keeps the sums until timehist_release. 0, or -1 with *err.
 */
int timehist_read(struct timehist *t, const struct timehist_options *opts, struct replay *rp,
		  struct recording *rec, struct world *world, struct err *err);
void timehist_release(struct timehist *t);

/* The sums: of tasks in no order, NULL in between; of the idle tasks by CPU, NULL where none was
 * seen. */
size_t timehist_tasks(const struct timehist *t, struct timehist_task *const **tasks);
/* A task's, 0 of an idle task. perf takes pid 0 for a task that a wake-up names before anything
 * else does. */
static inline uint32_t timehist_pid(const struct timehist_task *task)
{
	return task->thread ? task->thread->pid : 0;
}
size_t timehist_idle_tasks(const struct timehist *t, struct timehist_task *const **tasks);
bool timehist_wants_task(const struct timehist *t, const struct timehist_task *task);
bool timehist_wants_cpu(const struct timehist *t, uint32_t cpu);

#endif
