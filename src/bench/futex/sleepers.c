// SPDX-License-Identifier: MIT
#include "bench/futex/sleepers.h"

#include "os/proc/proc.h"

#include <stdio.h>
#include <string.h>

/* How long the threads may take to fall asleep, on a machine with much else to do. */
#define TO_SLEEP_NS 30000000000ull

static void sleeper_work(void *v, unsigned int index)
{
	struct sleepers *s = v;

	__atomic_store_n(&s->tids[index], (int32_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
	for (;;) {
		int got = s->o->pi ? futex_call(&s->word, FUTEX_WAIT_REQUEUE_PI, s->o->shared, 0,
						NULL, &s->other, 0)
				   : futex_wait(&s->word, 0, s->o->shared);

		if (!got && s->o->pi)
			futex_call(&s->other, FUTEX_UNLOCK_PI, s->o->shared, 0, NULL, NULL, 0);
		if (!got || (got == -EAGAIN && bench_team_stopped(&s->team)))
			break;
		if (got != -EINTR && got != -EAGAIN)
			break;
	}
	__atomic_add_fetch(&s->awake, 1, __ATOMIC_RELEASE);
}

/* A thread that has told its id waits for nothing but the futex. */
static bool sleeper_sleeps(const struct sleepers *s, unsigned int index)
{
	int32_t tid = __atomic_load_n(&s->tids[index], __ATOMIC_ACQUIRE);
	char file[64], line[256];
	const char *after;

	snprintf(file, sizeof(file), "task/%d/stat", tid);
	if (!tid || !proc_line("/proc", getpid(), file, line, sizeof(line)))
		return false;
	after = strrchr(line, ')');
	return after && after[1] == ' ' && after[2] == 'S';
}

int sleepers_start(struct sleepers *s, struct err *err)
{
	uint64_t late;

	s->word = s->other = s->awake = 0;
	s->tids = mem_zero(MAX(futex_threads(s->o), 1u) * sizeof(*s->tids));
	if (bench_team_start(&s->team, futex_threads(s->o), true, sleeper_work, s, err)) {
		free(s->tids);
		return -1;
	}
	bench_team_go(&s->team);
	late = bench_now_ns() + TO_SLEEP_NS;
	for (unsigned int i = 0; i < s->team.n && bench_now_ns() < late;)
		if (sleeper_sleeps(s, i))
			i++;
		else
			usleep(100);
	return 0;
}

void sleepers_end(struct sleepers *s)
{
	const unsigned int n = s->team.n;

	bench_team_stop(&s->team);
	__atomic_store_n(&s->word, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&s->awake, __ATOMIC_ACQUIRE) < n) {
		if (s->o->pi)
			futex_call(&s->word, FUTEX_CMP_REQUEUE_PI, s->o->shared, 1,
				   (void *)(uintptr_t)n, &s->other, 1);
		futex_wake(&s->word, (int)n, s->o->shared);
		if (!s->o->pi)
			futex_wake(&s->other, (int)n, s->o->shared);
		usleep(100);
	}
	bench_team_join(&s->team);
	free(s->tids);
	s->tids = NULL;
}
