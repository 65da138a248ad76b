// SPDX-License-Identifier: MIT
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

struct worker {
	struct pool *pool;
	pthread_t thread;
	unsigned int id;
};

struct pool {
	unsigned int n, started; /* workers with a thread are 1 ... started-1 */
	struct worker *workers;
	pthread_mutex_t lock;
	pthread_cond_t begin, done;
	unsigned long round; /* of work; raised to wake the workers */
	unsigned int busy;
	bool stop;
	/* this round's work */
	void (*fn)(void *ctx, size_t i, unsigned int worker);
	void *ctx;
	size_t count;
	atomic_size_t next;
};

unsigned int pool_cpus(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) ? 0 : CPU_COUNT(&set);

	return n > 0 ? (unsigned int)n : 1;
}

struct pool *pool_new(unsigned int n)
{
	struct pool *p = NEW(struct pool);

	p->n = n ? n : pool_cpus();
	p->started = 1;
	p->workers = mem_zero(p->n * sizeof(*p->workers));
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->begin, NULL);
	pthread_cond_init(&p->done, NULL);
	return p;
}

unsigned int pool_size(const struct pool *p)
{
	return p ? p->n : 1;
}

static void pool_work(struct pool *p, unsigned int worker)
{
	for (;;) {
		size_t i = atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed);

		if (i >= p->count)
			return;
		p->fn(p->ctx, i, worker);
	}
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;
	struct pool *p = w->pool;
	unsigned long seen = 0;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		while (p->round == seen && !p->stop)
			pthread_cond_wait(&p->begin, &p->lock);
		if (p->stop)
			break;
		seen = p->round;
		pthread_mutex_unlock(&p->lock);
		pool_work(p, w->id);
		pthread_mutex_lock(&p->lock);
		if (!--p->busy)
			pthread_cond_signal(&p->done);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* The workers block all signals, which the main thread handles. When a thread cannot be created,
 * the pool works with fewer. */
static void start_threads(struct pool *p)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (p->started < p->n) {
		struct worker *w = &p->workers[p->started];

		*w = (struct worker){.pool = p, .id = p->started};
		if (pthread_create(&w->thread, NULL, worker_main, w))
			break;
		p->started++;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void pool_for(struct pool *p, size_t n, void (*fn)(void *ctx, size_t i, unsigned int worker),
	      void *ctx)
{
	if (p && p->n > 1 && p->started == 1 && n > 1)
		start_threads(p);
	if (!p || p->started == 1 || n < 2) {
		for (size_t i = 0; i < n; i++)
			fn(ctx, i, 0);
		return;
	}
	pthread_mutex_lock(&p->lock);
	p->fn = fn;
	p->ctx = ctx;
	p->count = n;
	atomic_store(&p->next, 0);
	p->busy = p->started - 1;
	p->round++;
	pthread_cond_broadcast(&p->begin);
	pthread_mutex_unlock(&p->lock);
	pool_work(p, 0);
	pthread_mutex_lock(&p->lock);
	while (p->busy)
		pthread_cond_wait(&p->done, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

void pool_free(struct pool *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->begin);
	pthread_mutex_unlock(&p->lock);
	for (unsigned int i = 1; i < p->started; i++)
		pthread_join(p->workers[i].thread, NULL);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->begin);
	pthread_cond_destroy(&p->done);
	free(p->workers);
	free(p);
}
