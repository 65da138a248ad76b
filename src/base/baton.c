// SPDX-License-Identifier: MIT
#include "base/baton.h"

#include "base/mem.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

struct baton {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t passed;
	void (*work)(struct baton *b, void *ctx);
	void *ctx;
	/* shared */
	bool given;   /* the owner has given the baton away */
	bool wanted;  /* the owner waits for the baton */
	bool working; /* the worker has the baton */
	bool ended;
};

/* With the lock held. */
static void worker_wait_for_turn(struct baton *b)
{
	while (!b->given || b->wanted)
		pthread_cond_wait(&b->passed, &b->lock);
	b->working = true;
}

static void *baton_worker(void *arg)
{
	struct baton *b = arg;

	pthread_mutex_lock(&b->lock);
	worker_wait_for_turn(b);
	pthread_mutex_unlock(&b->lock);
	b->work(b, b->ctx);
	pthread_mutex_lock(&b->lock);
	b->working = false;
	b->ended = true;
	pthread_cond_broadcast(&b->passed);
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

void baton_offer(struct baton *b)
{
	pthread_mutex_lock(&b->lock);
	if (b->wanted) {
		b->working = false;
		pthread_cond_broadcast(&b->passed);
		worker_wait_for_turn(b);
	}
	pthread_mutex_unlock(&b->lock);
}

struct baton *baton_new(void (*work)(struct baton *b, void *ctx), void *ctx, struct err *err)
{
	struct baton *b = NEW(struct baton);
	pthread_condattr_t attr;
	sigset_t all, before;
	int got;

	b->work = work;
	b->ctx = ctx;
	pthread_mutex_init(&b->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&b->passed, &attr);
	pthread_condattr_destroy(&attr);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	got = pthread_create(&b->thread, NULL, baton_worker, b);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!got)
		return b;
	err_sys(err, got, "cannot start a thread");
	free(b);
	return NULL;
}

void baton_give(struct baton *b)
{
	pthread_mutex_lock(&b->lock);
	b->given = true;
	pthread_cond_broadcast(&b->passed);
	pthread_mutex_unlock(&b->lock);
}

/* With the lock held. */
static void owner_wait_for_turn(struct baton *b)
{
	b->wanted = true;
	while (b->working)
		pthread_cond_wait(&b->passed, &b->lock);
	b->wanted = false;
	b->given = false;
}

void baton_take(struct baton *b)
{
	pthread_mutex_lock(&b->lock);
	owner_wait_for_turn(b);
	pthread_mutex_unlock(&b->lock);
}

bool baton_wait(struct baton *b, int ms)
{
	struct timespec end;
	bool ended;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += ms / 1000;
	end.tv_nsec += ms % 1000 * 1000000l;
	if (end.tv_nsec >= 1000000000l) {
		end.tv_sec++;
		end.tv_nsec -= 1000000000l;
	}
	pthread_mutex_lock(&b->lock);
	b->given = true;
	pthread_cond_broadcast(&b->passed);
	while (!b->ended && !pthread_cond_timedwait(&b->passed, &b->lock, &end))
		;
	owner_wait_for_turn(b);
	ended = b->ended;
	pthread_mutex_unlock(&b->lock);
	return ended;
}

bool baton_ended(const struct baton *b)
{
	return b->ended; /* needs no lock: the worker writes it only while it has the baton */
}

void baton_free(struct baton *b)
{
	if (!b)
		return;
	baton_give(b);
	pthread_join(b->thread, NULL);
	pthread_cond_destroy(&b->passed);
	pthread_mutex_destroy(&b->lock);
	free(b);
}
