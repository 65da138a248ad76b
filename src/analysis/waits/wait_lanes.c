// SPDX-License-Identifier: MIT
#include "analysis/waits/wait_lanes.h"

#include "analysis/waits/waits.h"
#include "profile/table/key/wait_reason.h"

#include <stdlib.h>

void wait_lanes_release(struct wait_lanes *l)
{
	vec_release(&l->lanes);
	vec_release(&l->spans);
	idmap_release(&l->by_thread);
	if (l->world)
		wait_stacks_release(&l->stacks);
	*l = (struct wait_lanes){0};
}

static bool lanes_want(const struct wait_lanes *l, const struct wall_interval *in)
{
	const struct filter *f = l->filter;

	return !f || ((!f->pids.given || number_list_has(&f->pids, in->thread->pid)) &&
		      (!f->tids.given || number_list_has(&f->tids, in->thread->tid)) &&
		      (!f->comms.given ||
		       name_list_has(&f->comms, world_comm(l->world, in->thread, in->from))) &&
		      filter_has_time(f, in->from));
}

static uint32_t lane_of(struct wait_lanes *l, const struct thread *t)
{
	uint32_t *place = idmap_put(&l->by_thread, t->index);

	if (*place == HASH_NONE) {
		vec_add(&l->lanes,
			(struct wait_lane){.pid = t->pid, .tid = t->tid, .index = t->index});
		*place = (uint32_t)l->lanes.n;
	}
	return *place - 1;
}

static void lanes_take(void *ctx, const struct wall_interval *in)
{
	struct wait_lanes *l = ctx;
	const bool runs = in->state == WALL_ON_CPU;
	struct wait_span span = {
		.from = in->from, .to = in->from + in->ns, .waker = in->waker, .state = in->state};
	uint32_t stack = NO_STACK;

	if (!lanes_want(l, in))
		return;
	span.lane = lane_of(l, in->thread);
	if (in->stack && !runs)
		stack = wait_stacks_add(&l->stacks, in->thread, &in->stack->sample);
	span.reason = runs ? "-"
			   : wait_state_reason(in->state,
					       in->reason ? in->reason
							  : wait_stacks_reason(&l->stacks, stack));
	span.function = wait_stacks_function(&l->stacks, stack);
	vec_add(&l->spans, span);
}

void wait_lanes_init(struct wait_lanes *l, struct wall *of, struct world *world,
		     const struct measurement *m, const struct filter *filter)
{
	*l = (struct wait_lanes){.world = world, .filter = filter};
	wait_stacks_init(&l->stacks, world, m);
	of->interval = lanes_take;
	of->ctx = l;
}

static int spans_compare(const void *a, const void *b)
{
	const struct wait_span *x = a, *y = b;

	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

/* A thread's time on a CPU comes in pieces, one for each clock sample. */
static void spans_join(struct wait_lanes *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->spans.n; i++) {
		const struct wait_span *span = &l->spans.at[i];
		struct wait_span *last = n ? &l->spans.at[n - 1] : NULL;

		if (last && last->lane == span->lane && last->state == WALL_ON_CPU &&
		    span->state == WALL_ON_CPU && last->to == span->from)
			last->to = span->to;
		else
			l->spans.at[n++] = *span;
	}
	l->spans.n = n;
}

void wait_lanes_end(struct wait_lanes *l)
{
	struct thread *const *threads;
	const size_t n = world_threads(l->world, &threads);

	if (l->spans.n)
		qsort(l->spans.at, l->spans.n, sizeof(*l->spans.at), spans_compare);
	spans_join(l);
	for (size_t i = 0; i < l->lanes.n; i++)
		if (l->lanes.at[i].index < n)
			l->lanes.at[i].comm =
				world_comm(l->world, threads[l->lanes.at[i].index], UINT64_MAX);
	for (size_t i = 0; i < l->spans.n; i++) {
		struct wait_span *span = &l->spans.at[i];

		if (!wall_waker_is_thread(span->waker))
			continue;
		span->waker = idmap_find(&l->by_thread, span->waker - 1);
		if (span->waker == HASH_NONE)
			span->waker = WALL_NO_WAKER;
	}
}
