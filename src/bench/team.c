// SPDX-License-Identifier: MIT
#include "bench/bench.h"
#include "bench/futex.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

_Static_assert(sizeof(pthread_t) <= sizeof(unsigned long), "a pthread_t fits");

static void *team_member(void *v)
{
	struct bench_member *m = v;
	struct bench_team *t = m->team;

	__atomic_add_fetch(&t->ready, 1, __ATOMIC_RELEASE);
	futex_wake(&t->ready, 1, false);
	while (!__atomic_load_n(&t->go, __ATOMIC_ACQUIRE))
		futex_wait(&t->go, 0, false);
	if (t->go == 1)
		t->work(t->ctx, m->index);
	return NULL;
}

/* The CPU that the member gets: they go around those that this process may run on. */
static void team_bind(pthread_attr_t *attr, unsigned int index)
{
	cpu_set_t mine, one;
	int wanted, cpu = 0;

	if (sched_getaffinity(0, sizeof(mine), &mine) || !CPU_COUNT(&mine))
		return;
	wanted = (int)(index % (unsigned int)CPU_COUNT(&mine));
	for (; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &mine) && !wanted--)
			break;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	pthread_attr_setaffinity_np(attr, sizeof(one), &one);
}

static int team_add(struct bench_team *t, bool bind)
{
	struct bench_member *m = &t->members[t->started];
	pthread_attr_t attr;
	pthread_t thread;
	int got;

	*m = (struct bench_member){.team = t, .index = t->started};
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 128 << 10);
	if (bind)
		team_bind(&attr, m->index);
	got = pthread_create(&thread, &attr, team_member, m);
	pthread_attr_destroy(&attr);
	if (got)
		return got;
	m->thread = (unsigned long)thread;
	t->started++;
	return 0;
}

static void team_release(struct bench_team *t, uint32_t go)
{
	__atomic_store_n(&t->go, go, __ATOMIC_RELEASE);
	futex_wake(&t->go, INT32_MAX, false);
}

int bench_team_start(struct bench_team *t, unsigned int n, bool bind,
		     void (*work)(void *ctx, unsigned int index), void *ctx, struct err *err)
{
	uint32_t ready;

	*t = (struct bench_team){.n = n, .work = work, .ctx = ctx};
	t->members = mem_zero(MAX(n, 1u) * sizeof(*t->members));
	while (t->started < n) {
		int got = team_add(t, bind);

		if (!got)
			continue;
		err_sys(err, got, "cannot start thread %u of %u", t->started + 1, n);
		team_release(t, 2);
		bench_team_join(t);
		return -1;
	}
	while ((ready = __atomic_load_n(&t->ready, __ATOMIC_ACQUIRE)) < n)
		futex_wait(&t->ready, ready, false);
	return 0;
}

void bench_team_go(struct bench_team *t)
{
	team_release(t, 1);
}

void bench_team_join(struct bench_team *t)
{
	for (unsigned int i = 0; i < t->started; i++)
		pthread_join((pthread_t)t->members[i].thread, NULL);
	free(t->members);
	t->members = NULL;
	t->started = 0;
}
