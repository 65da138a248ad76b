// SPDX-License-Identifier: MIT
#include "analysis/balance/balance.h"

#include "analysis/balance/balance_private.h"

bool balance_spins(const struct waits *w, const struct waits_interval *i)
{
	return (i->state == WALL_ON_CPU || i->state == WALL_PREEMPTED) &&
	       wait_stacks_spins(&w->stacks, i->stack);
}

/* True for reasons of waits that no other thread ends, such as timers and disks. */
static bool is_own_wait(const char *reason)
{
	static const char *const own[] = {"sleep",    "disk", "page fault", "kernel lock",
					  "io_uring", "rcu",  "cgroup"};

	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		if (!strcmp(reason, own[i]))
			return true;
	return false;
}

enum balance_doing balance_doing_of(struct waits *w, const struct waits_interval *i)
{
	const bool by_thread = waits_thread_of(w, i->waker) != NULL;

	switch (waits_kind_of(i->state)) {
	case WAITS_RUNNING:
	case WAITS_READY:
		if (!balance_spins(w, i))
			return BALANCE_BUSY;
		return by_thread ? BALANCE_WAITS : BALANCE_IDLE;
	case WAITS_BLOCKED:
		if (by_thread)
			return BALANCE_WAITS;
		return is_own_wait(waits_reason(w, i)) ? BALANCE_BUSY : BALANCE_IDLE;
	case WAITS_UNKNOWN:
	case WAITS_KINDS:
		break;
	}
	return BALANCE_UNKNOWN;
}

const char *balance_doing_text(const struct waits *w, const struct waits_interval *i)
{
	if (balance_spins(w, i))
		return "spinning";
	switch (waits_kind_of(i->state)) {
	case WAITS_RUNNING:
		return "running";
	case WAITS_READY:
		return "ready";
	default:
		return waits_reason(w, i);
	}
}

/* By time. At equal times, threads that end come before those that begin an interval. */
static int balance_compare_changes(const void *a, const void *b)
{
	const struct balance_change *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->interval > y->interval) - (x->interval < y->interval);
}

void balance_list_changes(const struct waits *w, struct balance_changes *changes)
{
	for (uint32_t t = 0; t < w->threads.n; t++) {
		const struct waits_thread *thread = &w->threads.at[t];
		uint64_t end = 0;

		for (uint32_t i = 0; i < thread->intervals.n; i++) {
			end = MAX(end, thread->intervals.at[i].to);
			vec_add(changes,
				(struct balance_change){thread->intervals.at[i].from, t, i});
		}
		vec_add(changes, (struct balance_change){end, t, (uint32_t)thread->intervals.n});
	}
	qsort(changes->at, changes->n, sizeof(*changes->at), balance_compare_changes);
}

int balance_read(struct balance *b, struct recording *rec, struct world *world,
		 const struct balance_less *less, size_t n, struct err *err)
{
	struct balance_changes changes = {0};
	int status;

	*b = (struct balance){0};
	if (waits_read(&b->waits, rec, world, err))
		return -1;
	if (!b->waits.threads.n)
		return err_set(err, ERR_INPUT, "no thread took part in the recording");
	b->wall_ns = b->waits.wall.end - b->waits.wall.begin;
	balance_list_changes(&b->waits, &changes);
	balance_find_releasers(b, &changes);
	balance_find_phases(b);
	balance_add_parts(b, &changes);
	status = balance_guess(b, less, n, err);
	vec_release(&changes);
	return status;
}

void balance_release(struct balance *b)
{
	vec_release(&b->phases);
	vec_release(&b->parts);
	vec_release(&b->threads);
	vec_release(&b->guesses);
	vec_release(&b->function_of_stack);
	intern_release(&b->functions);
	intern_release(&b->part_keys);
	waits_release(&b->waits);
}
