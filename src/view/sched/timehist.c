// SPDX-License-Identifier: MIT
#include "view/sched/sched.h"

#include "analysis/sched/sched_args.h"

#define NAME_WIDTH 30
#define PRIO_WIDTH 8
/* The most characters of a name, as in perf. */
#define NAME_MOST 31

/* "comm[tid]" or "comm[tid/pid]", cut to NAME_MOST bytes. */
static void timehist_make_name(const struct timehist_view *v, const struct thread *t,
			       struct timehist_name *name)
{
	AUTO_BUF b = {0};

	buf_str(&b, world_comm_text(v->world, name->comm));
	if (t->pid) {
		buf_char(&b, '[');
		buf_sdec(&b, (int32_t)t->tid);
		if (t->tid != t->pid) {
			buf_char(&b, '/');
			buf_sdec(&b, (int32_t)t->pid);
		}
		buf_char(&b, ']');
	}
	name->n = (uint32_t)MIN(b.n, NAME_MOST);
	memset(name->text, ' ', sizeof(name->text));
	memcpy(name->text, b.at, name->n);
}

/* The name of a thread, or of the idle task (NULL). Widens the column if needed. */
static const struct timehist_name *timehist_name_of(struct timehist_view *v,
						    const struct thread *t)
{
	static const struct timehist_name idle = {.n = 6,
						  .text = "<idle>                          "};
	struct timehist_name *name;
	uint32_t comm;

	if (!t)
		return &idle;
	comm = world_comm_id(v->world, t, WORLD_NOW);
	if (t->index >= v->names.n)
		(void)vec_extend(&v->names, t->index + 1 - v->names.n);
	name = &v->names.at[t->index];
	if (name->n && name->comm == comm && name->pid == t->pid)
		return name;
	name->comm = comm;
	name->pid = t->pid;
	timehist_make_name(v, t, name);
	v->width = MAX(v->width, name->n);
	return name;
}

/* Writes the name at p, padded to the column's width, which is at most NAME_MOST. */
static char *timehist_put_name(struct timehist_view *v, const struct thread *t, char *p)
{
	const struct timehist_name *name = timehist_name_of(v, t);

	memcpy(p, name->text, sizeof(name->text));
	return p + v->width;
}

static void timehist_rule(struct buf *b, size_t n)
{
	buf_fill(b, '-', n);
}

void timehist_show_header(struct timehist_view *v, const struct timehist *t)
{
	const uint32_t columns = t->max_cpu + 1;
	struct buf *b = &v->out->buf;

	v->width = NAME_WIDTH;
	buf_str(b, "           time    cpu ");
	if (v->cpu_visual) {
		buf_char(b, ' ');
		for (uint32_t i = 0; i < columns; i++)
			buf_char(b, "0123456789abcdef"[i % 16]);
		buf_char(b, ' ');
	}
	buf_printf(b, " %-*s%s  %9s  %9s  %9s%s%s\n", (int)v->width, "task name",
		   v->prios ? "  prio    " : "", "wait time", "sch delay", "run time",
		   v->pre_migrations ? "  pre-mig time" : "", v->state ? "  state" : "");
	buf_printf(b, "%15s %-6s ", "", "");
	if (v->cpu_visual)
		buf_fill(b, ' ', columns + 2);
	buf_printf(b, " %-*s%s  %9s  %9s  %9s%s%s\n", (int)v->width, "[tid/pid]",
		   v->prios ? "          " : "", "(msec)", "(msec)", "(msec)",
		   v->pre_migrations ? "     (msec)" : "", v->state ? "       " : "");
	buf_str(b, "--------------- ------ ");
	if (v->cpu_visual) {
		buf_char(b, ' ');
		timehist_rule(b, columns);
		buf_char(b, ' ');
	}
	buf_char(b, ' ');
	timehist_rule(b, v->width);
	buf_printf(b, "%s  ---------  ---------  ---------%s%s\n", v->prios ? "  --------" : "",
		   v->pre_migrations ? "  ---------" : "", v->state ? "  -----" : "");
}

static void timehist_start(const struct timehist_row *row, struct buf *b)
{
	char *p = buf_room(b, DIGITS_POINT_ROOM(15) + 8);

	p = digits_point(p, row->time / 1000, 6, 15);
	memcpy(p, " [0000] ", 8);
	digits_zero_before(p + 6, row->cpu, 4); /* below SCHED_CPUS_MAX */
	buf_end(b, p + 8);
}

/* Appends the CPU columns, with mark in that of cpu. */
static void timehist_visual(const struct timehist_view *v, const struct timehist *t, uint32_t cpu,
			    char mark, const char *around, struct buf *b)
{
	if (!v->cpu_visual)
		return;
	buf_str(b, around);
	for (uint32_t i = 0; i <= t->max_cpu; i++)
		buf_char(b, i == cpu ? mark : ' ');
	buf_str(b, around);
}

static void timehist_show_next(const struct timehist_view *v, const struct timehist_row *row,
			       struct buf *b)
{
	char raw[64] = "";
	size_t from;

	if (row->next_comm)
		memcpy(raw, row->next_comm, MIN(row->next_comm_n, sizeof(raw) - 1));
	buf_char(b, ' ');
	from = b->n;
	buf_str(b, "next: ");
	buf_safe(b, raw);
	buf_char(b, '[');
	buf_sdec(b, (int32_t)row->next_pid);
	buf_char(b, ']');
	b->n = MIN(b->n, from + NAME_WIDTH - 1);
	buf_fill(b, ' ', v->width - (b->n - from));
}

/* Appends the priority in its column: "120", or "120->129" where it changed while the task ran. */
static void timehist_show_prio(const struct timehist_row *row, struct buf *b)
{
	size_t from;

	buf_char(b, ' ');
	from = b->n;
	if (row->prio_in != row->prio_out) {
		buf_sdec(b, row->prio_in);
		buf_str(b, "->");
	}
	buf_sdec(b, row->prio_out);
	if (b->n - from < PRIO_WIDTH)
		buf_fill(b, ' ', PRIO_WIDTH - (b->n - from));
	buf_char(b, ' ');
}

static void timehist_show_switch(struct timehist_view *v, const struct timehist *t,
				 const struct timehist_row *row)
{
	const struct timehist_task *task = row->task;
	const bool idle = !task->thread || !task->thread->tid;
	struct buf *b = &v->out->buf;
	char *p;

	timehist_start(row, b);
	timehist_visual(v, t, row->cpu, idle ? 'i' : 's', " ", b);
	p = buf_room(b, NAME_MOST + 3 + 3 * SCHED_MS_ROOM);
	*p = ' ';
	p = timehist_put_name(v, task->thread, p + 1);
	*p++ = ' ';
	if (v->prios) {
		buf_end(b, p);
		timehist_show_prio(row, b);
		p = buf_room(b, 3 * SCHED_MS_ROOM);
	}
	p = sched_put_ms(p, task->sleep + task->iowait + task->preempt, 6);
	p = sched_put_ms(p, task->delay, 6);
	buf_end(b, sched_put_ms(p, task->run, 6));
	if (v->pre_migrations)
		sched_ms(b, task->pre_migration, 6);
	if (v->state) {
		buf_fill(b, ' ', 5);
		buf_char(b, idle ? 'I' : sched_state_letter(row->state));
		buf_char(b, ' ');
	}
	if (v->next)
		timehist_show_next(v, row, b);
	if (v->wakeups && !v->next)
		buf_fill(b, ' ', v->width + 2);
	if (!idle && v->frames) {
		buf_str(b, "  ");
		timehist_show_chain(v, row->record, b);
	}
}

static void timehist_show_other(struct timehist_view *v, const struct timehist *t,
				const struct timehist_row *row)
{
	const bool wakeup = row->kind == TIMEHIST_WAKEUP;
	const struct timehist_name *other;
	struct buf *b = &v->out->buf;

	timehist_start(row, b);
	timehist_visual(v, t, wakeup ? UINT32_MAX : row->cpu, 'm', wakeup ? " " : "  ", b);
	buf_char(b, ' ');
	buf_end(b, timehist_put_name(v, row->task->thread, buf_room(b, NAME_MOST + 1)));
	buf_fill(b, ' ', 35);
	buf_str(b, wakeup ? "awakened: " : "migrated: ");
	other = timehist_name_of(v, row->other->thread);
	buf_add(b, other->text, other->n);
	if (!wakeup)
		buf_printf(b, " cpu %d => %d", (int)row->orig_cpu, (int)row->dest_cpu);
}

int timehist_show_row(void *view, struct timehist *t, const struct timehist_row *row)
{
	struct timehist_view *v = view;
	struct buf *b = &v->out->buf;

	switch (row->kind) {
	case TIMEHIST_SWITCH:
		timehist_show_switch(v, t, row);
		break;
	case TIMEHIST_WAKEUP:
	case TIMEHIST_MIGRATION:
		timehist_show_other(v, t, row);
		break;
	case TIMEHIST_LOST:
		sched_seconds(b, row->time, 15);
		buf_printf(b, " lost %llu events on cpu %d", (unsigned long long)row->lost,
			   (int)row->cpu);
		break;
	}
	buf_char(b, '\n');
	return !out_ready(v->out);
}

static void timehist_show_runtime(struct timehist_view *v, const struct timehist_task *task)
{
	const struct timehist_name *name = timehist_name_of(v, task->thread);
	struct buf *b = &v->out->buf;

	buf_fill(b, ' ', v->width - name->n);
	buf_add(b, name->text, name->n);
	buf_printf(b, "   %5d  %9llu ", (int)task->thread->ppid, (unsigned long long)task->runs.n);
	sched_ms(b, task->total_run, 8);
	if (v->state) {
		sched_ms(b, task->total_sleep, 6);
		buf_char(b, ' ');
		sched_ms(b, task->total_iowait, 6);
		buf_char(b, ' ');
		sched_ms(b, task->total_preempt, 6);
		buf_char(b, ' ');
		sched_ms(b, task->total_delay, 6);
	} else {
		sched_ms(b, task->runs.min, 6);
		buf_char(b, ' ');
		sched_ms(b, (uint64_t)task->runs.mean, 6);
		buf_char(b, ' ');
		sched_ms(b, task->runs.max, 6);
		buf_printf(b, "  %5.2f   %5llu", sched_spread_percent(&task->runs),
			   (unsigned long long)task->migrations);
	}
	buf_char(b, '\n');
}

struct timehist_sums {
	uint64_t tasks, switches, run_ns;
};

/* perf's order: by the lowest byte of the tid, then by tid. */
static int timehist_compare_tasks(const void *a, const void *b)
{
	const struct thread *l = (*(const struct timehist_task *const *)a)->thread;
	const struct thread *r = (*(const struct timehist_task *const *)b)->thread;

	if ((l->tid & 0xff) != (r->tid & 0xff))
		return (l->tid & 0xff) < (r->tid & 0xff) ? -1 : 1;
	if (l->tid != r->tid)
		return (int32_t)l->tid < (int32_t)r->tid ? -1 : 1;
	return l->index < r->index ? -1 : l->index > r->index;
}

/* Shows the tasks that ended, or those that did not. */
static void timehist_show_tasks(struct timehist_view *v, const struct timehist *t,
				const struct timehist_task **tasks, size_t n, bool ended,
				struct timehist_sums *sums)
{
	for (size_t i = 0; i < n; i++) {
		const struct timehist_task *task = tasks[i];

		if ((task->thread->died != UINT64_MAX) != ended || !timehist_wants_task(t, task))
			continue;
		sums->tasks++;
		sums->switches += task->runs.n;
		sums->run_ns += task->total_run;
		timehist_show_runtime(v, task);
	}
}

static void timehist_show_all_tasks(struct timehist_view *v, const struct timehist *t,
				    struct timehist_sums *sums)
{
	struct timehist_task *const *tasks;
	const size_t n = timehist_tasks(t, &tasks);
	const struct timehist_task **sorted = mem_alloc((n + 1) * sizeof(*sorted));
	struct buf *b = &v->out->buf;
	uint64_t alive;
	size_t ran = 0;

	for (size_t i = 0; i < n; i++)
		if (tasks[i] && tasks[i]->runs.n)
			sorted[ran++] = tasks[i];
	qsort(sorted, ran, sizeof(*sorted), timehist_compare_tasks);
	timehist_show_tasks(v, t, sorted, ran, false, sums);
	alive = sums->tasks;
	if (!alive)
		buf_str(b, "<no still running tasks>\n");
	buf_str(b, "\nTerminated tasks:\n");
	timehist_show_tasks(v, t, sorted, ran, true, sums);
	if (sums->tasks == alive)
		buf_str(b, "<no terminated tasks>\n");
	free(sorted);
}

static void timehist_show_idle(struct timehist_view *v, const struct timehist *t, uint32_t n_cpus,
			       struct timehist_sums *sums)
{
	struct timehist_task *const *tasks;
	const size_t n = timehist_idle_tasks(t, &tasks);
	struct buf *b = &v->out->buf;

	buf_str(b, "\nIdle stats:\n");
	for (uint32_t cpu = 0; cpu < MAX(n, n_cpus); cpu++) {
		const struct timehist_task *task = cpu < n ? tasks[cpu] : NULL;

		if (!timehist_wants_cpu(t, cpu) || (!task && cpu >= n_cpus))
			continue;
		if (!task || !task->runs.n) {
			buf_printf(b, "    CPU %2u idle entire time window\n", cpu);
			continue;
		}
		sums->switches += task->runs.n;
		buf_printf(b, "    CPU %2u idle for ", cpu);
		sched_ms(b, task->total_run, 6);
		buf_printf(b, " msec  (%6.2f%%)\n",
			   100.0 * (double)task->total_run / (double)(t->end - t->start));
	}
}

static void timehist_show_titles(struct timehist_view *v, const struct timehist *t)
{
	const bool idle = t->opts->idle, state = v->state && !idle;
	struct buf *b = &v->out->buf;

	buf_printf(b, "\n%s summary\n%*s  parent  %9s  ",
		   idle	   ? "Idle-time"
		   : state ? "Wait-time"
			   : "Runtime",
		   (int)v->width, "comm", idle ? "sched-out" : "sched-in");
	buf_str(b,
		idle	? "  idle-time   min-idle    avg-idle    max-idle  stddev  migrations\n"
		: state ? "   run-time      sleep      iowait     preempt       delay\n"
			: "   run-time    min-run     avg-run     max-run  stddev  migrations\n");
	buf_printf(
		b,
		"%*s            (count)       (msec)     (msec)      (msec)      (msec)       %s\n",
		(int)v->width, "", v->state ? "(msec)" : "%");
	timehist_rule(b, 117);
	buf_char(b, '\n');
}

void timehist_show_summary(struct timehist_view *v, const struct timehist *t)
{
	struct timehist_sums sums = {0};
	struct buf *b = &v->out->buf;

	v->width = MAX(v->width, (size_t)NAME_WIDTH);
	timehist_show_titles(v, t);
	timehist_show_all_tasks(v, t, &sums);
	/* idle times are not known when only some tasks are read */
	if (t->filtered && !t->opts->idle)
		return;
	timehist_show_idle(v, t, v->n_cpus, &sums);
	if (v->idle_chains)
		timehist_show_idle_chains(v, t);
	buf_printf(
		b,
		"\n    Total number of unique tasks: %llu\nTotal number of context switches: %llu\n"
		"           Total run time (msec): ",
		(unsigned long long)sums.tasks, (unsigned long long)sums.switches);
	sched_ms(b, sums.run_ns, 2);
	buf_str(b, "\n    Total scheduling time (msec): ");
	sched_ms(b, t->end - t->start, 2);
	buf_printf(b, " (x %u)\n", t->max_cpu);
}
