// SPDX-License-Identifier: MIT
#include "analysis/sched/timehist.h"

#include "analysis/sched/sched_args.h"

#include <math.h>

double sched_spread_percent(const struct sched_spread *s)
{
	const double n = (double)s->n;

	return s->n < 2 || s->mean == 0 ? 0 : 100 * sqrt(s->squares / (n - 1) / n) / s->mean;
}

static void spread_add(struct sched_spread *s, uint64_t value)
{
	const double distance = (double)value - s->mean;

	s->min = s->n ? MIN(s->min, value) : value;
	s->max = MAX(s->max, value);
	s->n++;
	s->mean += distance / (double)s->n;
	s->squares += distance * ((double)value - s->mean);
}

static void timehist_task_init(struct replay *rp, void *state, struct thread *of)
{
	struct timehist_task *t = state;

	(void)rp;
	t->thread = of;
}

static struct timehist_task *timehist_task_of(struct replay *rp, uint32_t pid, uint32_t tid)
{
	return replay_task_state(rp, pid, tid);
}

bool timehist_wants_cpu(const struct timehist *t, uint32_t cpu)
{
	return !t->opts->one_cpu_list || number_list_has(&t->opts->cpus, cpu);
}

bool timehist_wants_task(const struct timehist *t, const struct timehist_task *task)
{
	const struct timehist_options *o = t->opts;

	return (!o->pids.given || number_list_has(&o->pids, timehist_pid(task))) &&
	       (!o->tids.given ||
		number_list_has(&o->tids, task->thread ? task->thread->tid : 0)) &&
	       (!o->comms.given ||
		(task->thread &&
		 name_list_has(&o->comms, world_comm(t->rp->world, task->thread, WORLD_NOW))));
}

/* prev_prio: that of the task's switch; NULL: the record is no switch. A task whose priority is not
 * known is not skipped for it. */
static bool timehist_skips_task(struct timehist *t, const struct timehist_task *task,
				const int64_t *prev_prio)
{
	const struct number_list *prios = &t->opts->prio_list;
	const int64_t *prio = task->has_prio ? &task->prio : prev_prio;

	if (timehist_wants_task(t, task) &&
	    (!prios->given || !prio || number_list_has(prios, (uint32_t)*prio)))
		return false;
	t->filtered++;
	return true;
}

static void timehist_add_times(struct timehist_task *t, uint64_t now, uint64_t since)
{
	/* not in *t: pairs of them are read at once, which waits for fresh stores of one */
	uint64_t run = 0, delay = 0, pre_migration = 0, preempt = 0, iowait = 0, sleep = 0;

	if (since) {
		run = now - since;
		if (t->ready && t->ready <= since)
			delay = since - t->ready;
		if (t->ready && t->migrated > t->ready && t->migrated < since)
			pre_migration = t->migrated - t->ready;
		if (t->last_time && t->last_time <= since)
			*(sched_state_runs(t->last_state) ? &preempt
			  : t->last_state == 2		  ? &iowait
							  : &sleep) = since - t->last_time;
	}
	t->run = run;
	t->delay = delay;
	t->pre_migration = pre_migration;
	t->preempt = preempt;
	t->iowait = iowait;
	t->sleep = sleep;
	spread_add(&t->runs, run);
	t->total_run += run;
	t->total_delay += delay;
	t->total_sleep += sleep;
	t->total_iowait += iowait;
	t->total_preempt += preempt;
}

static void timehist_note_loss(struct timehist *t, struct timehist_task *task)
{
	if (!task->lost)
		return;
	task->lost = false;
	task->uncertain++;
	t->uncertain++;
	t->uncertain_ns += task->run + task->sleep + task->iowait + task->preempt;
}

/* Idle time counts for the task that ran before it, too. */
static void timehist_add_idle(struct timehist *t, struct timehist_task *idle, uint32_t cpu,
			      uint64_t now, uint64_t since)
{
	struct timehist_task *last;

	if (!idle->last_thread)
		return;
	last = replay_thread_state(t->rp, idle->last_thread);
	timehist_add_times(last, now, since);
	last->run = last->delay = last->sleep = last->iowait = last->preempt = 0;
	if (t->idle)
		t->idle(t->ctx, t, cpu, now - since, NULL);
	idle->last_thread = NULL;
}

static struct timehist_task *timehist_switched_task(struct timehist *t, const struct record *r,
						    const struct sched_switch *s)
{
	const struct sample *sample = &r->sample;
	struct timehist_task *idle = replay_cpu_state(t->rp, sample->cpu), *task;

	if (!s->prev_pid)
		return idle;
	/* there were samples with tid 0 and a pid */
	task = timehist_task_of(t->rp, sample->pid, sample->tid ? sample->tid : sample->pid);
	if (t->opts->idle) {
		idle->last_thread = task->thread;
		if (!s->next_pid && t->idle)
			t->idle(t->ctx, t, sample->cpu, 0, r);
	}
	return task;
}

static int timehist_show_switch(struct timehist *t, const struct timehist_task *task,
				const struct record *r, const struct sched_switch *s, uint64_t time)
{
	const struct timehist_row row = {.kind = TIMEHIST_SWITCH,
					 .time = time,
					 .cpu = r->sample.cpu,
					 .task = task,
					 .state = s->prev_state,
					 .prio_in = task->has_prio ? task->prio : s->prev_prio,
					 .prio_out = s->prev_prio,
					 .next_comm = s->next_comm.at,
					 .next_comm_n = s->next_comm.n,
					 .next_pid = s->next_pid,
					 .record = r};

	return t->show(t->ctx, t, &row);
}

/* The switch counts as far as it lies in the time that was asked for: *time and *since are clipped
 * to it. */
static bool timehist_clip(const struct timehist *t, uint64_t *time, uint64_t *since)
{
	const struct timehist_options *o = t->opts;

	if (o->start > *time || (o->end && (!*since || *since > o->end)))
		return false;
	if (*since)
		*since = MAX(*since, o->start);
	if (o->end)
		*time = MIN(*time, o->end);
	return true;
}

static int timehist_count_switch(struct timehist *t, struct timehist_task *task,
				 const struct record *r, const struct sched_switch *s,
				 uint64_t since, uint64_t *time)
{
	const struct timehist_options *o = t->opts;

	if (!timehist_clip(t, time, &since))
		return REPLAY_GO;
	if (!o->idle || !task->thread) {
		if (timehist_wants_cpu(t, r->sample.cpu)) {
			timehist_add_times(task, *time, since);
			timehist_note_loss(t, task);
		}
		if (o->idle && !task->last_thread)
			return REPLAY_GO;
		if (o->idle)
			timehist_add_idle(t, task, r->sample.cpu, *time, since);
	}
	return o->summary_only || !timehist_wants_cpu(t, r->sample.cpu)
		       ? REPLAY_GO
		       : timehist_show_switch(t, task, r, s, *time);
}

static void timehist_note_prio(struct timehist *t, const struct record *r,
			       const struct sched_switch *s)
{
	struct timehist_task *next =
		s->next_pid ? timehist_task_of(t->rp, (uint32_t)-1, (uint32_t)s->next_pid)
			    : replay_cpu_state(t->rp, r->sample.cpu);

	next->prio = s->next_prio;
	next->has_prio = true;
}

static int timehist_take_switch(struct replay *rp, const struct record *r, const void *v)
{
	struct timehist *t = rp->ctx;
	const struct timehist_options *o = t->opts;
	const struct sched_switch *s = v;
	struct timehist_task *task;
	const uint32_t cpu = r->sample.cpu;
	const uint64_t now = r->sample.time;
	uint64_t time = now;
	int got = REPLAY_GO;
	bool skip;

	if (!sched_has_cpu(rp, r))
		return REPLAY_GO;
	if (o->prios)
		timehist_note_prio(t, r, s);
	task = timehist_switched_task(t, r, s);
	t->max_cpu = MAX(t->max_cpu, cpu);
	if (cpu >= t->switched.n)
		(void)vec_extend(&t->switched, cpu + 1 - t->switched.n);
	skip = timehist_skips_task(t, task, &s->prev_prio) ||
	       (o->idle && s->prev_pid && s->next_pid);
	if (!skip)
		got = timehist_count_switch(t, task, r, s, t->switched.at[cpu], &time);
	if (!t->start && time >= o->start)
		t->start = time;
	if (!o->end || time <= o->end)
		t->end = time;
	if (!skip) {
		task->last_time = now;
		task->last_state = s->prev_state;
		task->ready = 0;
		task->migrated = 0;
	}
	t->switched.at[cpu] = now;
	return got;
}

/* Shows a wake-up, or a migration (m). It is left out when neither task was asked for. */
static int timehist_show_other(struct timehist *t, enum timehist_kind kind, const struct record *r,
			       const struct timehist_task *other, const struct sched_migrate *m)
{
	const struct sample *s = &r->sample;
	const struct timehist_row row = {.kind = kind,
					 .time = s->time,
					 .cpu = s->cpu,
					 .task = timehist_task_of(t->rp, s->pid, s->tid),
					 .other = other,
					 .orig_cpu = m ? m->orig_cpu : 0,
					 .dest_cpu = m ? m->dest_cpu : 0,
					 .record = r};

	if ((timehist_skips_task(t, row.task, NULL) && timehist_skips_task(t, other, NULL)) ||
	    t->opts->idle)
		return REPLAY_GO;
	return t->show(t->ctx, t, &row);
}

static int timehist_take_wakeup(struct replay *rp, const struct record *r, const void *v)
{
	struct timehist *t = rp->ctx;
	const struct timehist_options *o = t->opts;
	struct timehist_task *task;

	if (!sched_has_cpu(rp, r))
		return REPLAY_GO;
	t->max_cpu = MAX(t->max_cpu, r->sample.cpu);
	task = timehist_task_of(rp, 0, (uint32_t)((const struct sched_wakeup *)v)->pid);
	if (!task->ready)
		task->ready = r->sample.time;
	if (!o->wakeups || o->start > r->sample.time || (o->end && r->sample.time > o->end))
		return REPLAY_GO;
	return timehist_show_other(t, TIMEHIST_WAKEUP, r, task, NULL);
}

/* The second record of a wake-up only tells that there is such a CPU. */
static int timehist_take_queued(struct replay *rp, const struct record *r, const void *v)
{
	struct timehist *t = rp->ctx;

	(void)v;
	if (sched_has_cpu(rp, r))
		t->max_cpu = MAX(t->max_cpu, r->sample.cpu);
	return REPLAY_GO;
}

static int timehist_take_migration(struct replay *rp, const struct record *r, const void *v)
{
	struct timehist *t = rp->ctx;
	const struct sched_migrate *m = v;
	struct timehist_task *task;

	if (!sched_has_cpu(rp, r))
		return REPLAY_GO;
	t->max_cpu = MAX(t->max_cpu, r->sample.cpu);
	if (!t->opts->migrations && !t->opts->pre_migrations)
		return REPLAY_GO;
	task = timehist_task_of(rp, 0, (uint32_t)m->pid);
	task->migrations++;
	if (!task->migrated)
		task->migrated = r->sample.time;
	return t->opts->summary_only || !t->opts->migrations
		       ? REPLAY_GO
		       : timehist_show_other(t, TIMEHIST_MIGRATION, r, task, m);
}

static int timehist_take_lost(struct replay *rp, const struct record *r)
{
	struct timehist *t = rp->ctx;
	const struct timehist_row row = {.kind = TIMEHIST_LOST,
					 .time = r->id.time,
					 .cpu = r->id.cpu,
					 .lost = r->lost.lost,
					 .record = r};

	return t->show(t->ctx, t, &row);
}

static void timehist_lost(struct replay *rp, const struct replay_loss *loss)
{
	void *const *at;

	(void)loss; /* a wake-up may be on any CPU */
	for (size_t i = 0, n = replay_thread_states(rp, &at); i < n; i++)
		if (at[i])
			((struct timehist_task *)at[i])->lost = true;
}

/* The first row is for priorities and names of next tasks only. */
static const struct replay_tracepoint timehist_tracepoints[] = {
	{"sched:sched_switch", sched_switch_history, sizeof(struct sched_switch),
	 timehist_take_switch, .brief = REPLAY_BRIEF},
	{"sched:sched_switch", sched_switch_numbers, sizeof(struct sched_switch),
	 timehist_take_switch, .brief = REPLAY_BRIEF},
	{"sched:sched_wakeup", sched_wakeup_fields, sizeof(struct sched_wakeup),
	 timehist_take_wakeup, .unless = SCHED_WAKING, .brief = REPLAY_BRIEF},
	{"sched:sched_wakeup", NULL, 0, timehist_take_queued, .brief = REPLAY_BRIEF},
	{SCHED_WAKING, sched_wakeup_fields, sizeof(struct sched_wakeup), timehist_take_wakeup,
	 .brief = REPLAY_BRIEF},
	{"sched:sched_wakeup_new", sched_wakeup_fields, sizeof(struct sched_wakeup),
	 timehist_take_wakeup, .brief = REPLAY_BRIEF},
	{"sched:sched_migrate_task", sched_migrate_fields, sizeof(struct sched_migrate),
	 timehist_take_migration, .brief = REPLAY_BRIEF},
	{0},
};

static const struct replay_handler timehist_handlers[] = {{RECORD_LOST, timehist_take_lost}, {0}};

#define TIMEHIST_ANALYSIS(rows)                                                                    \
	{.handlers = timehist_handlers,                                                            \
	 .tracepoints = (rows),                                                                    \
	 .lost = timehist_lost,                                                                    \
	 .thread = {.size = sizeof(struct timehist_task),                                          \
		    .keep = true,                                                                  \
		    .init = timehist_task_init},                                                   \
	 .cpu = {.size = sizeof(struct timehist_task), .init = timehist_task_init}}

static const struct replay_analysis
	timehist_with_next = TIMEHIST_ANALYSIS(timehist_tracepoints),
	timehist_of_times = TIMEHIST_ANALYSIS(timehist_tracepoints + 1);

int timehist_read(struct timehist *t, const struct timehist_options *opts, struct replay *rp,
		  struct recording *rec, struct world *world, struct err *err)
{
	t->opts = opts;
	t->rp = rp;
	world_present_only(world);
	replay_init(rp, rec, world,
		    opts->prios || opts->next ? &timehist_with_next : &timehist_of_times, t);
	return replay_run(rp, err);
}

void timehist_release(struct timehist *t)
{
	vec_release(&t->switched);
	if (t->rp)
		replay_release(t->rp);
}

size_t timehist_tasks(const struct timehist *t, struct timehist_task *const **tasks)
{
	void *const *at;
	const size_t n = replay_thread_states(t->rp, &at);

	*tasks = (struct timehist_task *const *)at;
	return n;
}

size_t timehist_idle_tasks(const struct timehist *t, struct timehist_task *const **tasks)
{
	void *const *at;
	const size_t n = replay_cpu_states(t->rp, &at);

	*tasks = (struct timehist_task *const *)at;
	return n;
}
