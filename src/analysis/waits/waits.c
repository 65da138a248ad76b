// SPDX-License-Identifier: MIT
#include "analysis/waits/waits.h"

#include "analysis/waits/waits_private.h"
#include "profile/table/key/wait_reason.h"

enum waits_kind waits_kind_of(enum wall_state state)
{
	switch (state) {
	case WALL_ON_CPU:
		return WAITS_RUNNING;
	case WALL_PREEMPTED:
	case WALL_WOKEN:
	case WALL_NEW:
		return WAITS_READY;
	case WALL_BLOCKED:
	case WALL_STOPPED:
	case WALL_OFF_CPU:
		return WAITS_BLOCKED;
	case WALL_NONE:
	case WALL_UNKNOWN:
	case WALL_STATES:
		break;
	}
	return WAITS_UNKNOWN;
}

const char *waits_reason(const struct waits *w, const struct waits_interval *i)
{
	return wait_state_reason(i->state,
				 i->reason ? i->reason : wait_stacks_reason(&w->stacks, i->stack));
}

struct waits_thread *waits_thread_of(struct waits *w, uint32_t waker)
{
	const uint32_t place = wall_waker_is_thread(waker) ? idmap_find(&w->by_thread, waker - 1)
							   : HASH_NONE;

	return place == HASH_NONE ? NULL : &w->threads.at[place - 1];
}

static struct waits_thread *thread_get_state(struct waits *w, struct thread *thread)
{
	uint32_t place = idmap_find(&w->by_thread, thread->index);

	if (place == HASH_NONE) {
		vec_add(&w->threads, (struct waits_thread){.thread = thread});
		place = (uint32_t)w->threads.n;
		*idmap_put(&w->by_thread, thread->index) = place;
	}
	return &w->threads.at[place - 1];
}

static struct thread *world_thread_at(const struct waits *w, uint32_t index)
{
	struct thread *const *threads;

	return index < world_threads(w->world, &threads) ? threads[index] : NULL;
}

static void waits_take(void *ctx, const struct wall_interval *in)
{
	struct waits *w = ctx;
	struct waits_thread *t = thread_get_state(w, in->thread);
	struct waits_interval *last = t->intervals.n ? vec_last(&t->intervals) : NULL;
	struct waits_interval i = {.from = in->from,
				   .to = in->from + in->ns,
				   .comm = world_comm_id(w->world, in->thread, in->from),
				   .stack = NO_STACK,
				   .waker_stack = NO_STACK,
				   .waker = in->waker,
				   .reason = in->reason,
				   .state = in->state};
	struct thread *waker;

	if (in->stack)
		i.stack = wait_stacks_add(&w->stacks, in->thread, &in->stack->sample);
	if (in->waker_stack && wall_waker_is_thread(in->waker)) {
		waker = world_thread_at(w, in->waker - 1);
		if (waker)
			i.waker_stack =
				wait_stacks_add(&w->stacks, waker, &in->waker_stack->sample);
	}
	t->ns[waits_kind_of(in->state)] += in->ns;
	w->ns[waits_kind_of(in->state)] += in->ns;
	if (last && last->state == WALL_ON_CPU && i.state == WALL_ON_CPU && last->to == i.from &&
	    last->stack == i.stack && last->comm == i.comm)
		last->to = i.to;
	else
		vec_add(&t->intervals, i);
}

/* -- rows -- */

static const char *waker_comm(const struct waits *w, const struct waits_interval *i)
{
	const struct thread *t;

	if (!wall_waker_is_thread(i->waker))
		return wall_waker_name(i->waker);
	t = world_thread_at(w, i->waker - 1);
	return t ? world_comm(w->world, t, i->to) : NULL;
}

static bool waits_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static uint64_t text_hash(const char *text, uint64_t seed)
{
	return text ? hash_bytes(text, strlen(text), seed) : seed + 1;
}

static bool row_is_of(const struct waits_row *a, const struct waits_row *b)
{
	return waits_same_text(a->comm, b->comm) && waits_same_text(a->reason, b->reason) &&
	       waits_same_text(a->function, b->function) &&
	       waits_same_text(a->caller, b->caller) && waits_same_text(a->waker, b->waker) &&
	       waits_same_text(a->waker_function, b->waker_function);
}

static struct waits_row *waits_row_get(struct waits *w, const struct waits_row *key)
{
	uint64_t hash = text_hash(key->comm, 0);
	uint32_t id, at;

	hash = text_hash(key->reason, hash);
	hash = text_hash(key->function, hash);
	hash = text_hash(key->caller, hash);
	hash = text_hash(key->waker, hash);
	hash = text_hash(key->waker_function, hash);
	for (at = id_slots_begin(&w->rows_by, hash);
	     (id = id_slots_next(&w->rows_by, hash, &at)) != HASH_NONE;)
		if (row_is_of(&w->rows.at[id], key))
			return &w->rows.at[id];
	id_slots_add(&w->rows_by, (uint32_t)w->rows.n, hash);
	vec_add(&w->rows, *key);
	return vec_last(&w->rows);
}

static void waits_add_rows(struct waits *w, struct waits_thread *t)
{
	for (size_t n = 0; n < t->intervals.n; n++) {
		const struct waits_interval *i = &t->intervals.at[n];
		const uint64_t ns = i->to - i->from;
		struct waits_row *row;

		if (waits_kind_of(i->state) != WAITS_BLOCKED)
			continue;
		row = waits_row_get(
			w,
			&(struct waits_row){.comm = world_comm_text(w->world, i->comm),
					    .reason = waits_reason(w, i),
					    .function = wait_stacks_function(&w->stacks, i->stack),
					    .caller = wait_stacks_caller(&w->stacks, i->stack),
					    .waker = waker_comm(w, i),
					    .waker_function = wait_stacks_function(
						    &w->stacks, i->waker_stack)});
		row->n++;
		row->ns += ns;
		row->max_ns = MAX(row->max_ns, ns);
		row->delayed_ns += i->delayed ? ns : 0;
		t->delayed_ns += i->delayed ? ns : 0;
	}
}

static int waits_compare_rows(const void *a, const void *b)
{
	const struct waits_row *x = a, *y = b;

	if (x->delayed_ns != y->delayed_ns)
		return x->delayed_ns > y->delayed_ns ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return strcmp(x->comm, y->comm);
}

int waits_read(struct waits *w, struct recording *rec, struct world *world, struct err *err)
{
	int failed;

	*w = (struct waits){.world = world};
	wait_stacks_init(&w->stacks, world, &rec->m);
	failed = wall_read_intervals(&w->wall, rec, world, waits_take, w, err);
	unwound_losses(&w->stacks.unwound, &rec->m.losses);
	if (failed)
		return -1;
	for (size_t i = 0; i < w->threads.n; i++)
		w->threads.at[i].comm = world_comm(world, w->threads.at[i].thread, w->wall.end);
	waits_count_running(w);
	waits_find_path(w);
	for (size_t i = 0; i < w->threads.n; i++)
		waits_add_rows(w, &w->threads.at[i]);
	if (w->rows.n)
		qsort(w->rows.at, w->rows.n, sizeof(*w->rows.at), waits_compare_rows);
	return 0;
}

int waits_read_delayed(struct wall_delayed *delayed, struct recording *rec, struct world *world,
		       struct err *err)
{
	struct waits w;
	int failed = waits_read(&w, rec, world, err);

	if (!failed && !w.has_path) {
		failed =
			err_set(err, ERR_INPUT,
				"which waits delayed the program is not known: the recording %s",
				w.wall.has_wakeups ? "ends before the program" : "has no wake-ups");
	}
	for (size_t t = 0; !failed && t < w.threads.n; t++)
		for (size_t i = 0; i < w.threads.at[t].intervals.n; i++) {
			const struct waits_interval *in = &w.threads.at[t].intervals.at[i];

			if (in->delayed)
				wall_delayed_add(delayed, w.threads.at[t].thread->tid, in->from);
		}
	waits_release(&w);
	return failed;
}

void waits_release(struct waits *w)
{
	for (size_t i = 0; i < w->threads.n; i++)
		vec_release(&w->threads.at[i].intervals);
	vec_release(&w->threads);
	vec_release(&w->rows);
	vec_release(&w->steps);
	vec_release(&w->running);
	idmap_release(&w->by_thread);
	id_slots_release(&w->rows_by);
	id_slots_release(&w->steps_by);
	wait_stacks_release(&w->stacks);
}
