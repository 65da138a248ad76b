// SPDX-License-Identifier: MIT
/* Guesses the thread that ends a spinning thread's wait: the kernel sees no wake-up there. */
#include "analysis/balance/balance_private.h"

/* The state of a thread at the current time. */
struct spin_thread {
	uint64_t busy_since; /* UINT64_MAX: it is not busy */
	uint64_t busy_until; /* the end of the last time that it was */
	uint64_t spins_since;
	bool spins;
};

/*
 * The thread that has been busy for the longest time, as a value of COL_WAKER: at a barrier, a
 * thread that has not arrived is busy since the barrier before. When no thread is busy, the one
 * that was busy last: a spinning thread without a CPU notices late that the wait is over.
 */
static uint32_t spin_releaser(const struct balance *b, const struct spin_thread *threads,
			      uint64_t spins_since)
{
	uint64_t since = UINT64_MAX, until = spins_since;
	const struct waits_thread *busy = NULL, *was = NULL;

	for (size_t t = 0; t < b->waits.threads.n; t++) {
		if (threads[t].busy_since < since) {
			since = threads[t].busy_since;
			busy = &b->waits.threads.at[t];
		}
		if (threads[t].busy_until > until) {
			until = threads[t].busy_until;
			was = &b->waits.threads.at[t];
		}
	}
	busy = busy ? busy : was;
	return busy ? busy->thread->index + 1 : WALL_NO_WAKER;
}

/* Sets the waker of all neighbouring spinning intervals of a thread, up to last. */
static void spin_set_releaser(struct balance *b, struct waits_thread *t, uint32_t last,
			      uint32_t waker)
{
	for (uint32_t i = last + 1; i-- && balance_spins(&b->waits, &t->intervals.at[i]);)
		t->intervals.at[i].waker = waker;
}

static void spin_take_change(struct balance *b, struct spin_thread *threads,
			     const struct balance_change *c)
{
	struct waits_thread *t = &b->waits.threads.at[c->thread];
	const struct waits_interval *i =
		c->interval < t->intervals.n ? &t->intervals.at[c->interval] : NULL;
	struct spin_thread *now = &threads[c->thread];
	const bool spins = i && balance_spins(&b->waits, i),
		   busy = i && balance_doing_of(&b->waits, i) == BALANCE_BUSY;

	if (now->spins && !spins)
		spin_set_releaser(b, t, c->interval - 1,
				  spin_releaser(b, threads, now->spins_since));
	if (!now->spins)
		now->spins_since = c->time;
	now->spins = spins;
	if (busy && now->busy_since == UINT64_MAX)
		now->busy_since = c->time;
	if (!busy && now->busy_since != UINT64_MAX) {
		now->busy_since = UINT64_MAX;
		now->busy_until = c->time;
	}
}

void balance_find_releasers(struct balance *b, const struct balance_changes *changes)
{
	struct spin_thread *threads = mem_zero(b->waits.threads.n * sizeof(*threads));

	for (size_t t = 0; t < b->waits.threads.n; t++)
		threads[t].busy_since = UINT64_MAX;
	for (size_t i = 0; i < changes->n; i++)
		spin_take_change(b, threads, &changes->at[i]);
	free(threads);
}
