// SPDX-License-Identifier: MIT
/* The critical path: from the end of the program back to its beginning. */
#include "analysis/waits/waits_private.h"

/* The main thread of the process that was there first, if it ended in the recording. */
static struct waits_thread *path_last_thread(struct waits *w)
{
	struct waits_thread *first = NULL;

	for (size_t i = 0; i < w->threads.n; i++) {
		struct waits_thread *t = &w->threads.at[i];

		if (t->thread->tid == t->thread->pid && t->intervals.n &&
		    (!first || t->intervals.at[0].from < first->intervals.at[0].from))
			first = t;
	}
	return first && first->thread->died != UINT64_MAX ? first : NULL;
}

/* The interval that holds the moment just before t, or the last one before it; NULL: none is. */
static struct waits_interval *interval_before(struct waits_thread *thread, uint64_t t)
{
	size_t low = 0, high = thread->intervals.n;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (thread->intervals.at[middle].from < t)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &thread->intervals.at[low - 1] : NULL;
}

static bool path_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool path_same_step(const struct waits_step *a, const struct waits_step *b)
{
	return a->kind == b->kind && a->by_timer == b->by_timer &&
	       path_same_text(a->comm, b->comm) && path_same_text(a->reason, b->reason) &&
	       path_same_text(a->function, b->function) && path_same_text(a->caller, b->caller);
}

static void path_add(struct waits *w, const struct waits_interval *i, uint64_t ns)
{
	const bool waits = waits_kind_of(i->state) == WAITS_BLOCKED;
	const struct waits_step step = {.comm = world_comm_text(w->world, i->comm),
					.kind = waits_kind_of(i->state),
					.reason =
						i->state == WALL_ON_CPU ? NULL : waits_reason(w, i),
					.function = wait_stacks_function(&w->stacks, i->stack),
					.caller = waits ? wait_stacks_caller(&w->stacks, i->stack)
							: NULL,
					.by_timer = i->state == WALL_BLOCKED &&
						    i->waker == WALL_TIMER,
					.n = 1,
					.ns = ns};
	const struct {
		uint32_t comm, stack, state, by_timer;
	} key = {i->comm, i->stack, i->state, step.by_timer};
	const uint64_t hash = hash_bytes(&key, sizeof(key), 0);
	uint32_t at = id_slots_begin(&w->steps_by, hash), id;

	w->path_ns += ns;
	while ((id = id_slots_next(&w->steps_by, hash, &at)) != HASH_NONE) {
		struct waits_step *s = &w->steps.at[id];

		if (path_same_step(s, &step)) {
			s->n++;
			s->ns += ns;
			return;
		}
	}
	id_slots_add(&w->steps_by, (uint32_t)w->steps.n, hash);
	vec_add(&w->steps, step);
}

/* Where the path goes on before that wait, or before the thread was made; NULL: it stays. */
static struct waits_thread *path_turn(struct waits *w, const struct waits_interval *i)
{
	struct waits_thread *to;

	if (i->state != WALL_BLOCKED && i->state != WALL_STOPPED && i->state != WALL_NEW)
		return NULL;
	to = waits_thread_of(w, i->waker);
	return to && interval_before(to, i->state == WALL_NEW ? i->from : i->to) ? to : NULL;
}

/* Merges steps that have the same names and differ only in their stacks. */
static void path_merge_steps(struct waits *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->steps.n; i++) {
		struct waits_step *s = &w->steps.at[i], *into = NULL;

		for (size_t k = 0; k < n && !into; k++)
			if (path_same_step(&w->steps.at[k], s))
				into = &w->steps.at[k];
		if (into) {
			into->n += s->n;
			into->ns += s->ns;
		} else {
			w->steps.at[n++] = *s;
		}
	}
	w->steps.n = n;
}

static int waits_compare_steps(const void *a, const void *b)
{
	const struct waits_step *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return strcmp(x->comm, y->comm);
}

void waits_find_path(struct waits *w)
{
	struct waits_thread *at = path_last_thread(w);
	uint64_t t = UINT64_MAX, most = 0;

	if (!at || !w->wall.has_wakeups)
		return;
	w->has_path = true;
	w->command = at->comm;
	w->last = at;
	for (size_t i = 0; i < w->threads.n; i++)
		most += 2 * w->threads.at[i].intervals.n;
	/* each step but a turn goes back in time; records that lie could turn for ever */
	for (struct waits_interval *i; most-- && (i = interval_before(at, t));) {
		struct waits_thread *turn = path_turn(w, i);

		t = MIN(t, i->to);
		if (turn && i->state != WALL_NEW) {
			i->delayed = true;
			at = turn;
			continue;
		}
		i->delayed = waits_kind_of(i->state) == WAITS_BLOCKED;
		path_add(w, i, t - i->from);
		t = i->from;
		at = turn ? turn : at;
	}
	path_merge_steps(w);
	if (w->steps.n)
		qsort(w->steps.at, w->steps.n, sizeof(*w->steps.at), waits_compare_steps);
}
