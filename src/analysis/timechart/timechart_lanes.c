// SPDX-License-Identifier: MIT
#include "analysis/timechart/timechart_lanes.h"

#include <stdlib.h>

struct lanes_making {
	struct wait_lanes *l;
	const struct timechart *t;
	const struct filter *filter;
	struct idmap pids;		  /* tid -> pid */
	struct idmap lanes;		  /* tid -> lane */
	VEC(size_t) first;		  /* of each lane: index of its first span */
	VEC(struct timechart_span) spans; /* of the task at hand */
};

static void pids_learn(struct lanes_making *m, struct world *world)
{
	struct thread *const *threads;
	const size_t n = world_threads(world, &threads);

	for (size_t i = 0; i < n; i++)
		*idmap_put(&m->pids, threads[i]->tid) = threads[i]->pid;
}

static int timechart_spans_compare(const void *a, const void *b)
{
	const struct timechart_span *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Adds the state of the task at the end of the recording, which no switch has ended. */
static void task_add_last_span(struct lanes_making *m, const struct timechart_task *task)
{
	const struct timechart_comm *comm =
		task->current == HASH_NONE ? NULL : &m->t->comms.at[task->current];

	if (comm && comm->state && comm->state_since && comm->state_since < comm->end)
		vec_add(&m->spans, (struct timechart_span){.start = comm->state_since,
							   .end = comm->end,
							   .known = MIN(comm->seen, comm->end),
							   .state = comm->state});
}

/* Collects the spans of a task under all of its names, by time. */
static void task_spans(struct lanes_making *m, const struct timechart_task *task)
{
	m->spans.n = 0;
	for (size_t i = 0; i < task->comms.n; i++) {
		const struct timechart_comm *comm = &m->t->comms.at[task->comms.at[i]];

		for (size_t k = 0; k < comm->spans.n; k++)
			if (comm->spans.at[k].start && comm->spans.at[k].end)
				vec_add(&m->spans, comm->spans.at[k]);
	}
	if (m->spans.n)
		qsort(m->spans.at, m->spans.n, sizeof(*m->spans.at), timechart_spans_compare);
	task_add_last_span(m, task);
}

static bool task_ran(const struct lanes_making *m)
{
	for (size_t i = 0; i < m->spans.n; i++)
		if (m->spans.at[i].state == TIMECHART_RUNNING &&
		    m->spans.at[i].known > m->spans.at[i].start)
			return true;
	return false;
}

static bool lanes_want_task(const struct lanes_making *m, const struct wait_lane *lane)
{
	const struct filter *f = m->filter;

	return !f || ((!f->pids.given || number_list_has(&f->pids, lane->pid)) &&
		      (!f->tids.given || number_list_has(&f->tids, lane->tid)) &&
		      (!f->comms.given || name_list_has(&f->comms, lane->comm)));
}

static void lane_add(struct lanes_making *m, uint32_t lane, uint64_t from, uint64_t to,
		     enum wall_state state, const char *reason)
{
	if (to > from && (!m->filter || filter_has_time(m->filter, from)))
		vec_add(&m->l->spans, (struct wait_span){.from = from,
							 .to = to,
							 .lane = lane,
							 .waker = WALL_NO_WAKER,
							 .state = state,
							 .reason = reason});
}

/* end: of the task, or of the recording. */
static void timechart_lane_fill(struct lanes_making *m, uint32_t lane, uint64_t end)
{
	for (size_t i = 0; i < m->spans.n; i++) {
		const struct timechart_span *s = &m->spans.at[i];
		const bool blocked = s->state == TIMECHART_BLOCKED;
		const bool runs = s->state == TIMECHART_RUNNING;

		if (i && m->spans.at[i - 1].end < s->start)
			lane_add(m, lane, m->spans.at[i - 1].end, s->start, WALL_BLOCKED, "sleep");
		lane_add(m, lane, s->start, runs ? s->known : s->end,
			 runs	   ? WALL_ON_CPU
			 : blocked ? WALL_BLOCKED
				   : WALL_PREEMPTED,
			 blocked ? "uninterruptible" : "-");
		if (runs)
			lane_add(m, lane, s->known, s->end, WALL_UNKNOWN, "-");
	}
	lane_add(m, lane, vec_last(&m->spans)->end, end, WALL_BLOCKED, "sleep");
}

static void task_take(struct lanes_making *m, const struct timechart_task *task)
{
	const struct timechart *t = m->t;
	const uint32_t lane = (uint32_t)m->l->lanes.n, pid = idmap_find(&m->pids, task->tid);
	struct wait_lane new = {.pid = pid == HASH_NONE ? task->tid : pid, .tid = task->tid};

	task_spans(m, task);
	if (!task->tid || !task_ran(m))
		return;
	if (task->current != HASH_NONE)
		new.comm = intern_text(&t->names, t->comms.at[task->current].name);
	if (!new.comm)
		new.comm = "";
	if (!lanes_want_task(m, &new))
		return;
	*idmap_put(&m->lanes, task->tid) = lane;
	vec_add(&m->l->lanes, new);
	vec_add(&m->first, m->l->spans.n);
	timechart_lane_fill(m, lane,
			    task->current == HASH_NONE ? 0 : t->comms.at[task->current].end);
}

/* The first span of the lane that ends at that time or later; NULL: none. */
static struct wait_span *lane_span_ending(struct lanes_making *m, uint32_t lane, uint64_t time)
{
	size_t low = m->first.at[lane], high = m->first.at[lane + 1];
	const size_t end = high;

	while (low < high) {
		const size_t mid = (low + high) / 2;

		if (m->l->spans.at[mid].to < time)
			low = mid + 1;
		else
			high = mid;
	}
	return low < end ? &m->l->spans.at[low] : NULL;
}

/* A wake-up ends a wait. */
static void wake_take(struct lanes_making *m, const struct timechart_wake *wake)
{
	const uint32_t lane = idmap_find(&m->lanes, wake->wakee),
		       waker = idmap_find(&m->lanes, wake->waker);
	struct wait_span *span = lane == HASH_NONE ? NULL : lane_span_ending(m, lane, wake->time);

	if (!span || span->to != wake->time || span->state != WALL_BLOCKED)
		return;
	if (wake->by_interrupt)
		span->waker = WALL_INTERRUPT;
	else if (waker != HASH_NONE)
		span->waker = waker + 1;
}

void timechart_lanes(struct wait_lanes *l, const struct timechart *t, struct world *world,
		     const struct filter *filter)
{
	struct lanes_making m = {.l = l, .t = t, .filter = filter};

	pids_learn(&m, world);
	for (size_t i = 0; i < t->tasks.n; i++)
		task_take(&m, &t->tasks.at[i]);
	vec_add(&m.first, l->spans.n);
	for (size_t i = 0; i < t->wakes.n; i++)
		wake_take(&m, &t->wakes.at[i]);
	idmap_release(&m.pids);
	idmap_release(&m.lanes);
	vec_release(&m.first);
	vec_release(&m.spans);
}
