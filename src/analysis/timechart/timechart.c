// SPDX-License-Identifier: MIT
#include "analysis/timechart/timechart.h"

#include "analysis/timechart/timechart_io.h"

#include <stdlib.h>

#define IDLE_ENDS     UINT32_MAX
#define KHZ_MAX	      8000000 /* greater frequencies are damage */
#define FLAG_HARDIRQ  0x08
#define FLAG_SOFTIRQ  0x10
#define STATE_BLOCKED 2 /* TASK_UNINTERRUPTIBLE */

struct switch_args {
	int64_t prev_pid, next_pid;
	uint64_t prev_state;
};
static const struct replay_field switch_fields[] = {
	{"prev_pid", REPLAY_S64, offsetof(struct switch_args, prev_pid)},
	{"next_pid", REPLAY_S64, offsetof(struct switch_args, next_pid)},
	{"prev_state", REPLAY_U64, offsetof(struct switch_args, prev_state)},
	{0},
};

struct wakeup_args {
	int64_t pid, waker;
	uint64_t flags;
};
static const struct replay_field wakeup_fields[] = {
	{"pid", REPLAY_S64, offsetof(struct wakeup_args, pid)},
	{"common_pid", REPLAY_S64, offsetof(struct wakeup_args, waker)},
	{"common_flags", REPLAY_U64, offsetof(struct wakeup_args, flags)},
	{0},
};

struct power_args {
	uint64_t state, cpu;
};
static const struct replay_field power_fields[] = {
	{"state", REPLAY_U64, offsetof(struct power_args, state)},
	{"cpu_id", REPLAY_U64, offsetof(struct power_args, cpu)},
	{0},
};

struct timechart_task *timechart_task_of(struct timechart *t, uint32_t tid)
{
	uint32_t *at = idmap_put(&t->task_of, tid);

	if (*at == HASH_NONE) {
		*at = (uint32_t)t->tasks.n;
		vec_add(&t->tasks, (struct timechart_task){.tid = tid, .current = HASH_NONE});
	}
	return &t->tasks.at[*at];
}

static struct timechart_comm *task_comm(struct timechart *t, uint32_t tid)
{
	const struct timechart_task *task = timechart_task_of(t, tid);

	return task->current == HASH_NONE ? NULL : &t->comms.at[task->current];
}

static void task_set_name(struct timechart *t, struct timechart_task *task, uint32_t name)
{
	for (size_t i = 0; i < task->comms.n; i++) {
		struct timechart_comm *comm = &t->comms.at[task->comms.at[i]];

		/* one without a name gets the first that is heard of */
		if (!*intern_text(&t->names, comm->name))
			comm->name = name;
		if (comm->name != name)
			continue;
		task->current = task->comms.at[i];
		return;
	}
	task->current = (uint32_t)t->comms.n;
	vec_add(&task->comms, task->current);
	vec_add(&t->comms, (struct timechart_comm){.name = name});
}

static int timechart_take_comm(struct replay *rp, const struct record *r)
{
	struct timechart *t = rp->ctx;

	task_set_name(t, timechart_task_of(t, r->comm.tid), intern_str(&t->names, r->comm.comm));
	return REPLAY_GO;
}

/* The fork of a thread names its process, which goes on as it was. */
static int timechart_take_fork(struct replay *rp, const struct record *r)
{
	struct timechart *t = rp->ctx;
	const struct timechart_comm *parent = task_comm(t, r->task.ppid);
	struct timechart_task *task = timechart_task_of(t, r->task.pid);
	struct timechart_comm *comm;

	task->ppid = r->task.ppid;
	if (parent && task->current == HASH_NONE)
		task_set_name(t, task, parent->name);
	task->start = r->task.time;
	comm = task_comm(t, r->task.pid);
	if (comm && !comm->start)
		comm->start = comm->state_since = r->task.time;
	return REPLAY_GO;
}

static int timechart_take_exit(struct replay *rp, const struct record *r)
{
	struct timechart *t = rp->ctx;
	struct timechart_comm *comm = task_comm(t, r->task.pid);

	if (comm)
		comm->end = r->task.time;
	return REPLAY_GO;
}

static struct timechart_cpu *timechart_cpu_of(struct timechart *t, uint64_t cpu)
{
	if (cpu >= REPLAY_CPUS_MAX)
		return NULL;
	while (t->cpu.n <= cpu)
		vec_add(&t->cpu, (struct timechart_cpu){0});
	return &t->cpu.at[cpu];
}

void timechart_note_time(struct timechart *t, const struct record *r)
{
	struct timechart_cpu *cpu;

	if (!(r->sample.type & SAMPLE_TIME))
		return;
	cpu = timechart_cpu_of(t, r->sample.cpu);
	if (cpu && cpu->runs && cpu->tid == r->sample.tid)
		cpu->seen = r->sample.time;
	t->first = t->first ? MIN(t->first, r->sample.time) : r->sample.time;
	t->last = MAX(t->last, r->sample.time);
}

static int timechart_take_sample(struct replay *rp, const struct record *r)
{
	timechart_note_time(rp->ctx, r);
	return REPLAY_GO;
}

static uint32_t timechart_chain(struct timechart *t, const struct record *r)
{
	if (!t->opts->chain)
		return TIMECHART_NO_CHAIN;
	buf_clear(&t->text);
	t->opts->chain(t->opts->chain_ctx, r, &t->text);
	return intern_str(&t->chains, buf_text(&t->text));
}

/* Adds a span to the task's current comm, which has one. */
static void task_add_span(struct timechart *t, uint32_t tid, struct timechart_span span)
{
	struct timechart_task *task = timechart_task_of(t, tid);
	struct timechart_comm *comm = &t->comms.at[task->current];

	vec_add(&comm->spans, span);
	if (span.state == TIMECHART_RUNNING && span.end > span.start && span.start)
		comm->ran += span.end - span.start;
	if (!comm->start || comm->start > span.start)
		comm->start = span.start;
	if (!task->start || task->start > span.start)
		task->start = span.start;
	if (span.cpu < REPLAY_CPUS_MAX)
		t->cpus = MAX(t->cpus, span.cpu);
}

static int timechart_take_wakeup(struct replay *rp, const struct record *r, const void *v)
{
	struct timechart *t = rp->ctx;
	const struct wakeup_args *args = v;
	const uint32_t wakee = (uint32_t)args->pid;
	struct timechart_comm *comm = task_comm(t, wakee);
	const uint64_t now = r->sample.time;

	timechart_note_time(t, r);
	vec_add(&t->wakes, (struct timechart_wake){
				   .time = now,
				   .wakee = wakee,
				   .waker = (uint32_t)args->waker,
				   .by_interrupt = args->flags & (FLAG_HARDIRQ | FLAG_SOFTIRQ),
				   .chain = timechart_chain(t, r),
			   });
	if (!comm || comm->state == TIMECHART_RUNNING || comm->state == TIMECHART_WAITING)
		return REPLAY_GO;
	if (comm->state == TIMECHART_BLOCKED)
		task_add_span(t, wakee,
			      (struct timechart_span){comm->state_since, now, now,
						      TIMECHART_NO_CHAIN, r->sample.cpu,
						      TIMECHART_BLOCKED});
	comm->state_since = now;
	comm->state = TIMECHART_WAITING;
	return REPLAY_GO;
}

/* What ran on the CPU does so no more. */
static void timechart_cpu_left(struct timechart *t, uint32_t cpu_nr)
{
	struct timechart_cpu *cpu = timechart_cpu_of(t, cpu_nr);
	struct timechart_comm *comm = cpu && cpu->runs ? task_comm(t, cpu->tid) : NULL;

	if (comm)
		comm->seen = cpu->seen;
	if (cpu)
		cpu->runs = false;
}

/* Until when the task is known to have run that leaves the CPU now; comm is its name. */
static uint64_t run_known(struct timechart *t, const struct timechart_comm *comm, uint32_t tid,
			  uint32_t cpu_nr, uint64_t now)
{
	const struct timechart_cpu *cpu = timechart_cpu_of(t, cpu_nr);

	if (comm->state != TIMECHART_RUNNING)
		return comm->state_since;
	if (!cpu || (comm->cpu == cpu_nr && cpu->runs && cpu->tid == tid))
		return now;
	timechart_cpu_left(t, comm->cpu);
	return comm->seen;
}

static void timechart_cpu_taken(struct timechart *t, uint32_t cpu_nr, uint32_t tid, uint64_t now)
{
	struct timechart_cpu *cpu = timechart_cpu_of(t, cpu_nr);

	if (cpu) {
		cpu->runs = true;
		cpu->tid = tid;
		cpu->seen = now;
	}
}

static int timechart_take_switch(struct replay *rp, const struct record *r, const void *v)
{
	struct timechart *t = rp->ctx;
	const struct switch_args *args = v;
	const uint32_t out = (uint32_t)args->prev_pid, in = (uint32_t)args->next_pid;
	struct timechart_comm *prev = task_comm(t, out), *next = task_comm(t, in);
	const uint64_t now = r->sample.time;
	struct timechart_span span = {
		0, now, now, TIMECHART_NO_CHAIN, r->sample.cpu, TIMECHART_RUNNING};

	timechart_note_time(t, r);
	if ((prev && prev->state) || (next && next->state))
		span.chain = timechart_chain(t, r);
	if (prev && prev->state) {
		span.start = prev->state_since;
		span.known = run_known(t, prev, out, r->sample.cpu, now);
		task_add_span(t, out, span);
	}
	timechart_cpu_left(t, r->sample.cpu);
	if (next) {
		if (next->state == TIMECHART_RUNNING)
			timechart_cpu_left(t, next->cpu);
		span.known = next->state == TIMECHART_RUNNING ? next->seen : now;
		span.start = next->state_since;
		span.state = next->state;
		if (next->state)
			task_add_span(t, in, span);
		next->state_since = now;
		next->state = TIMECHART_RUNNING;
		next->cpu = r->sample.cpu;
		next->seen = now;
	}
	timechart_cpu_taken(t, r->sample.cpu, in, now);
	if (prev) {
		prev->state = !args->prev_state			 ? TIMECHART_WAITING
			      : args->prev_state & STATE_BLOCKED ? TIMECHART_BLOCKED
								 : TIMECHART_NONE;
		prev->state_since = now;
	}
	return REPLAY_GO;
}

static int timechart_take_idle(struct replay *rp, const struct record *r, const void *v)
{
	struct timechart *t = rp->ctx;
	const struct power_args *args = v;
	struct timechart_cpu *cpu = timechart_cpu_of(t, (uint32_t)args->cpu);

	timechart_note_time(t, r);
	if (!cpu)
		return REPLAY_GO;
	if ((uint32_t)args->state != IDLE_ENDS) {
		cpu->idle_since = r->sample.time;
		cpu->idle_state = (uint32_t)args->state;
	} else if (cpu->idle_since) {
		vec_add(&t->power,
			(struct timechart_power){cpu->idle_since, r->sample.time,
						 (uint32_t)args->cpu, true, cpu->idle_state});
	}
	return REPLAY_GO;
}

static int timechart_take_frequency(struct replay *rp, const struct record *r, const void *v)
{
	struct timechart *t = rp->ctx;
	const struct power_args *args = v;
	const uint64_t khz = (uint32_t)args->state;
	struct timechart_cpu *cpu = timechart_cpu_of(t, (uint32_t)args->cpu);

	timechart_note_time(t, r);
	if (!cpu || khz > KHZ_MAX)
		return REPLAY_GO;
	vec_add(&t->power, (struct timechart_power){
				   cpu->frequency_since ? cpu->frequency_since : t->first,
				   r->sample.time, (uint32_t)args->cpu, false, cpu->frequency});
	cpu->frequency = khz;
	cpu->frequency_since = r->sample.time;
	t->max_frequency = MAX(t->max_frequency, khz);
	t->min_frequency = t->min_frequency ? MIN(t->min_frequency, khz) : khz;
	if (khz + 1000 == t->max_frequency)
		t->turbo_frequency = t->max_frequency;
	return REPLAY_GO;
}

static void timechart_lost(struct replay *rp, const struct replay_loss *loss)
{
	struct timechart *t = rp->ctx;

	(void)loss;
	t->losses++;
}

static const struct replay_handler timechart_handlers[] = {
	{RECORD_COMM, timechart_take_comm},
	{RECORD_FORK, timechart_take_fork},
	{RECORD_EXIT, timechart_take_exit},
	{RECORD_SAMPLE, timechart_take_sample},
	{0},
};
/* clang-format off */
#define CALL(name, kind)                                                                           \
	{"syscalls:sys_enter_" #name, timechart_enter_fields,                                      \
	 sizeof(struct timechart_enter_args), timechart_begin_##kind},                             \
	{"syscalls:sys_exit_" #name, timechart_exit_fields,                                        \
	 sizeof(struct timechart_exit_args), timechart_end_##kind},
/* clang-format on */
static const struct replay_tracepoint timechart_tracepoints[] = {
	{"sched:sched_switch", switch_fields, sizeof(struct switch_args), timechart_take_switch},
	{"sched:sched_wakeup", wakeup_fields, sizeof(struct wakeup_args), timechart_take_wakeup},
	{"power:cpu_idle", power_fields, sizeof(struct power_args), timechart_take_idle},
	{"power:cpu_frequency", power_fields, sizeof(struct power_args), timechart_take_frequency},
	TIMECHART_CALLS(CALL){0},
};
#undef CALL
static const struct replay_analysis timechart_analysis = {
	.handlers = timechart_handlers,
	.tracepoints = timechart_tracepoints,
	.lost = timechart_lost,
};

void timechart_init(struct timechart *t, const struct timechart_options *opts)
{
	*t = (struct timechart){.opts = opts};
}

void timechart_release(struct timechart *t)
{
	for (size_t i = 0; i < t->tasks.n; i++)
		vec_release(&t->tasks.at[i].comms);
	for (size_t i = 0; i < t->comms.n; i++) {
		vec_release(&t->comms.at[i].spans);
		vec_release(&t->comms.at[i].ios);
	}
	vec_release(&t->tasks);
	vec_release(&t->comms);
	vec_release(&t->power);
	vec_release(&t->wakes);
	vec_release(&t->cpu);
	intern_release(&t->names);
	intern_release(&t->chains);
	idmap_release(&t->task_of);
	buf_release(&t->text);
}

static int timechart_compare_tasks(const void *a, const void *b)
{
	const struct timechart_task *one = a, *two = b;

	if (one->ppid != two->ppid)
		return (int32_t)one->ppid < (int32_t)two->ppid ? -1 : 1;
	return (int32_t)one->tid < (int32_t)two->tid ? -1 : one->tid != two->tid;
}

/* Ends the frequencies that hold at the end and the calls that have not returned, notes which
 * tasks still ran, and sorts the tasks. */
static void timechart_end(struct timechart *t)
{
	for (uint32_t i = 0; i <= t->cpus; i++) {
		const struct timechart_cpu *cpu = timechart_cpu_of(t, i);
		struct timechart_comm *runs = cpu->runs ? task_comm(t, cpu->tid) : NULL;

		if (runs)
			runs->seen = t->last;
		vec_add(&t->power,
			(struct timechart_power){
				cpu->frequency_since ? cpu->frequency_since : t->first, t->last, i,
				false, cpu->frequency ? cpu->frequency : t->min_frequency});
	}
	for (size_t i = 0; i < t->comms.n; i++) {
		struct timechart_comm *comm = &t->comms.at[i];

		comm->start = comm->start ? comm->start : t->first;
		comm->end = comm->end ? comm->end : t->last;
		if (comm->ios.n && !vec_last(&comm->ios)->end)
			vec_last(&comm->ios)->end = t->last;
	}
	if (t->tasks.n)
		qsort(t->tasks.at, t->tasks.n, sizeof(*t->tasks.at), timechart_compare_tasks);
	for (size_t i = 0; i < t->tasks.n; i++)
		*idmap_put(&t->task_of, t->tasks.at[i].tid) = (uint32_t)i;
}

int timechart_read(struct timechart *t, struct recording *rec, struct world *world, struct err *err)
{
	struct replay rp;
	int failed;

	world_present_only(world);
	t->cpus = MIN(MAX(rec->nr_cpus_avail, 1), REPLAY_CPUS_MAX) - 1;
	replay_init(&rp, rec, world, &timechart_analysis, t);
	failed = replay_run(&rp, err);
	replay_release(&rp);
	if (!failed)
		timechart_end(t);
	return failed;
}

const struct timechart_task *timechart_task_find(const struct timechart *t, uint32_t tid)
{
	const uint32_t at = idmap_find(&t->task_of, tid);

	return at == HASH_NONE ? NULL : &t->tasks.at[at];
}
