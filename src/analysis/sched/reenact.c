// SPDX-License-Identifier: MIT
#include "analysis/sched/workload.h"

#include "base/monotonic.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#define STACK_SIZE (64u << 10)
#define MS	   1000000u

static void burn(uint64_t ns, uint64_t overhead)
{
	const uint64_t end = clock_ns(CLOCK_MONOTONIC) + ns;

	while (clock_ns(CLOCK_MONOTONIC) + overhead < end)
		;
}

static void sleep_ns(uint64_t ns)
{
	const struct timespec t = {.tv_sec = (time_t)(ns / 1000000000),
				   .tv_nsec = (long)(ns % 1000000000)};

	nanosleep(&t, NULL);
}

void workload_clock_measure(struct workload_clock *c)
{
	uint64_t start;

	*c = (struct workload_clock){.run_overhead = MS, .sleep_overhead = MS};
	for (int i = 0; i < 10; i++) {
		start = clock_ns(CLOCK_MONOTONIC);
		burn(0, 0);
		c->run_overhead = MIN(c->run_overhead, clock_ns(CLOCK_MONOTONIC) - start);
		start = clock_ns(CLOCK_MONOTONIC);
		sleep_ns(10000);
		c->sleep_overhead =
			MIN(c->sleep_overhead, clock_ns(CLOCK_MONOTONIC) - start - 10000);
	}
	start = clock_ns(CLOCK_MONOTONIC);
	burn(MS, c->run_overhead);
	c->run_test = clock_ns(CLOCK_MONOTONIC) - start;
	start = clock_ns(CLOCK_MONOTONIC);
	sleep_ns(MS);
	c->sleep_test = clock_ns(CLOCK_MONOTONIC) - start;
}

struct reenactment {
	const struct workload_clock *clock;
	sem_t *waits;
	pthread_mutex_t gate;	      /* held until all threads are there */
	pthread_barrier_t begin, end; /* of one time; the caller and all tasks */
	bool over;		      /* set before the gate opens, or before .begin */
};

struct actor {
	struct reenactment *all;
	const struct workload_task *task;
	pthread_t thread;
	uint64_t cpu; /* ns, of the last time */
};

static void actor_act(const struct actor *a)
{
	const struct workload_task *t = a->task;

	for (size_t i = 0; i < t->atoms.n; i++) {
		const struct workload_atom *atom = &t->atoms.at[i];

		if (atom->kind == WORKLOAD_RUN)
			burn(atom->ns, a->all->clock->run_overhead);
		else if (atom->kind == WORKLOAD_WAKEUP)
			sem_post(&a->all->waits[atom->wait - 1]);
		else if (atom->wait)
			while (sem_wait(&a->all->waits[atom->wait - 1]) && errno == EINTR)
				;
	}
}

static void *actor_main(void *v)
{
	struct actor *a = v;
	bool there;

	pthread_mutex_lock(&a->all->gate);
	there = !a->all->over;
	pthread_mutex_unlock(&a->all->gate);
	while (there) {
		uint64_t before;

		pthread_barrier_wait(&a->all->begin);
		if (a->all->over)
			break;
		before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		actor_act(a);
		a->cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID) - before;
		pthread_barrier_wait(&a->all->end);
	}
	return NULL;
}

/* Returns how many threads there are: fewer than n with *err. They wait at the gate. */
static size_t actors_begin(struct actor *actors, size_t n, struct err *err)
{
	pthread_attr_t attr;
	size_t i;
	int got = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	for (i = 0; i < n; i++) {
		got = pthread_create(&actors[i].thread, &attr, actor_main, &actors[i]);
		if (got)
			break;
	}
	pthread_attr_destroy(&attr);
	if (got)
		err_sys(err, got, "no thread for each of %zu tasks", n);
	return i;
}

static void reenact_once(struct reenactment *r, const struct actor *actors, size_t n,
			 uint64_t *took, uint64_t *cpu)
{
	const uint64_t start = clock_ns(CLOCK_MONOTONIC);

	pthread_barrier_wait(&r->begin);
	pthread_barrier_wait(&r->end);
	*took = clock_ns(CLOCK_MONOTONIC) - start;
	*cpu = 0;
	for (size_t i = 0; i < n; i++)
		*cpu += actors[i].cpu;
}

static void reenact_times(struct reenactment *r, const struct actor *actors, size_t n, int times,
			  int (*done)(void *ctx, uint64_t took, uint64_t cpu), void *ctx)
{
	uint64_t took, cpu;

	for (int i = 0; times < 0 || i<times; i += times> 0) {
		reenact_once(r, actors, n, &took, &cpu);
		if (done(ctx, took, cpu))
			break;
	}
	r->over = true;
	pthread_barrier_wait(&r->begin);
}

int workload_reenact(const struct workload *w, const struct workload_clock *c, int times,
		     int (*done)(void *ctx, uint64_t took, uint64_t cpu), void *ctx,
		     struct err *err)
{
	const size_t n = w->tasks.n;
	struct actor *actors = mem_zero((n + 1) * sizeof(*actors));
	struct reenactment r = {.clock = c, .waits = mem_zero((w->waits + 1) * sizeof(*r.waits))};
	size_t made;

	for (uint32_t i = 0; i < w->waits; i++)
		sem_init(&r.waits[i], 0, 0);
	for (size_t i = 0; i < n; i++)
		actors[i] = (struct actor){.all = &r, .task = &w->tasks.at[i]};
	pthread_mutex_init(&r.gate, NULL);
	pthread_barrier_init(&r.begin, NULL, (unsigned int)n + 1);
	pthread_barrier_init(&r.end, NULL, (unsigned int)n + 1);
	pthread_mutex_lock(&r.gate);
	made = actors_begin(actors, n, err);
	r.over = made < n;
	pthread_mutex_unlock(&r.gate);
	if (made == n)
		reenact_times(&r, actors, n, times, done, ctx);
	for (size_t i = 0; i < made; i++)
		pthread_join(actors[i].thread, NULL);
	for (uint32_t i = 0; i < w->waits; i++)
		sem_destroy(&r.waits[i]);
	pthread_barrier_destroy(&r.begin);
	pthread_barrier_destroy(&r.end);
	pthread_mutex_destroy(&r.gate);
	free(r.waits);
	free(actors);
	return made == n ? 0 : -1;
}
