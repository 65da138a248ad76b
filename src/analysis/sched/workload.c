// SPDX-License-Identifier: MIT
#include "analysis/sched/workload.h"

#include "analysis/sched/sched_args.h"

#include <stdio.h>

struct workload_of { /* a task's place among the workload's, plus 1 */
	uint32_t place;
};

struct workload_cpu {
	uint64_t switched; /* time of its last switch */
};

static struct workload_task *workload_task_of(struct replay *rp, int64_t tid)
{
	struct workload *w = rp->ctx;
	struct thread *t = replay_thread(rp, (uint32_t)-1, (uint32_t)tid);
	struct workload_of *of = replay_thread_state(rp, t);

	if (!of->place) {
		vec_add(&w->tasks, (struct workload_task){.tid = t->tid});
		of->place = (uint32_t)w->tasks.n;
	}
	return &w->tasks.at[of->place - 1];
}

static struct workload_atom *workload_last(const struct workload_task *t)
{
	return t->atoms.n ? vec_last(&t->atoms) : NULL;
}

static void workload_add_run(struct workload *w, struct workload_task *t, uint64_t ns)
{
	struct workload_atom *last = workload_last(t);

	if (last && last->kind == WORKLOAD_RUN) {
		w->merged_runs++;
		last->ns += ns;
		return;
	}
	w->runs++;
	vec_add(&t->atoms, (struct workload_atom){.kind = WORKLOAD_RUN, .ns = ns});
}

static int workload_take_switch(struct replay *rp, const struct record *r, const void *v)
{
	struct workload *w = rp->ctx;
	const struct sched_switch *s = v;
	struct workload_task *prev;
	struct workload_cpu *cpu;

	if (!sched_has_cpu(rp, r))
		return REPLAY_GO;
	cpu = replay_cpu_state(rp, r->sample.cpu);
	prev = workload_task_of(rp, s->prev_pid);
	/* an idle CPU wakes tasks up, but does no work */
	if (s->prev_pid)
		workload_add_run(
			w, prev,
			cpu->switched && cpu->switched < rp->time ? rp->time - cpu->switched : 0);
	vec_add(&prev->atoms, (struct workload_atom){.kind = WORKLOAD_SLEEP});
	w->sleeps++;
	cpu->switched = rp->time;
	workload_task_of(rp, s->next_pid);
	return REPLAY_GO;
}

/*
 * A sleep gets its wake-up only while it is the last that its task did. So a wake-up comes after
 * all that its waker waited for, and no two tasks can wait for each other.
 */
static int workload_take_wakeup(struct replay *rp, const struct record *r, const void *v)
{
	struct workload *w = rp->ctx;
	struct workload_atom *sleep;

	sleep = workload_last(workload_task_of(rp, ((const struct sched_wakeup *)v)->pid));
	if (!sleep || sleep->kind != WORKLOAD_SLEEP) {
		w->vain_wakeups++;
	} else if (sleep->wait) {
		w->double_wakeups++;
	} else {
		sleep->wait = ++w->waits;
		w->wakeups++;
		vec_add(&workload_task_of(rp, r->sample.tid)->atoms,
			(struct workload_atom){.kind = WORKLOAD_WAKEUP, .wait = w->waits});
	}
	return REPLAY_GO;
}

static const struct replay_tracepoint workload_tracepoints[] = {
	{"sched:sched_switch", sched_switch_fields, sizeof(struct sched_switch),
	 workload_take_switch},
	{"sched:sched_wakeup", sched_wakeup_fields, sizeof(struct sched_wakeup),
	 workload_take_wakeup, .unless = SCHED_WAKING},
	{SCHED_WAKING, sched_wakeup_fields, sizeof(struct sched_wakeup), workload_take_wakeup},
	{"sched:sched_wakeup_new", sched_wakeup_fields, sizeof(struct sched_wakeup),
	 workload_take_wakeup},
	{0},
};

static const struct replay_analysis workload_analysis = {
	.tracepoints = workload_tracepoints,
	.thread = {.size = sizeof(struct workload_of), .keep = true},
	.cpu = {.size = sizeof(struct workload_cpu)},
};

static void workload_name_tasks(struct workload *w, const struct replay *rp)
{
	struct thread *const *threads;
	void *const *at;
	const size_t n = replay_thread_states(rp, &at);

	world_threads(rp->world, &threads);
	for (size_t i = 0; i < n; i++) {
		const struct workload_of *of = at[i];

		if (of && of->place)
			snprintf(w->tasks.at[of->place - 1].comm, sizeof(w->tasks.at->comm), "%s",
				 world_comm(rp->world, threads[i], WORLD_NOW));
	}
}

int workload_read(struct workload *w, struct recording *rec, struct world *world, struct err *err)
{
	struct replay rp;
	int failed;

	world_present_only(world);
	replay_init(&rp, rec, world, &workload_analysis, w);
	failed = replay_run(&rp, err);
	if (!failed)
		workload_name_tasks(w, &rp);
	replay_release(&rp);
	return failed;
}

void workload_release(struct workload *w)
{
	for (size_t i = 0; i < w->tasks.n; i++)
		vec_release(&w->tasks.at[i].atoms);
	vec_release(&w->tasks);
}
