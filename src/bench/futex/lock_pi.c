// SPDX-License-Identifier: MIT
#include "bench/futex/futex_opts.h"

const struct opt futex_lock_pi_options[] = {
	FUTEX_THREADS,
	FUTEX_RUNTIME,
	{OPT_BOOL, 'M', "multi", FUTEX_AT(multi), NULL, "Use multiple futexes"},
	{OPT_END},
};

struct locker {
	_Alignas(64) uint32_t own;
	uint32_t *word;
	uint64_t ops;
	int failed;
};

struct locking {
	const struct futex_opts *o;
	struct bench_team team;
	struct locker *lockers;
};

static void lock_work(void *v, unsigned int index)
{
	struct locking *l = v;
	struct locker *mine = &l->lockers[index];

	while (!bench_team_stopped(&l->team)) {
		int got;

		do
			got = futex_call(mine->word, FUTEX_LOCK_PI, l->o->shared, 0, NULL, NULL, 0);
		while (got == -EAGAIN || got == -EINTR);
		usleep(1); /* the others come to wait */
		if (!got)
			got = futex_call(mine->word, FUTEX_UNLOCK_PI, l->o->shared, 0, NULL, NULL,
					 0);
		if (got < 0) {
			mine->failed = got;
			return;
		}
		mine->ops++;
	}
}

static int lock_show(struct bench *b, const struct locking *l, double seconds, struct err *err)
{
	struct bench_stats stats = {0};

	for (unsigned int i = 0; i < l->team.n; i++) {
		double rate = (double)l->lockers[i].ops / seconds;

		if (l->lockers[i].failed)
			return err_sys(err, -l->lockers[i].failed,
				       "a lock with priority inheritance failed");
		bench_stats_add(&stats, rate);
		if (!l->o->silent)
			buf_printf(b->text, "[thread %3u] futex: %p [ %llu ops/sec ]\n", i,
				   (void *)l->lockers[i].word, (unsigned long long)rate);
	}
	buf_printf(b->text, "%sAveraged %llu operations/sec (+- %.2f%%), total secs = %d\n",
		   l->o->silent ? "" : "\n", (unsigned long long)stats.mean,
		   bench_stats_percent(&stats), (int)seconds);
	bench_value(b, stats.mean, "operations/sec/thread");
	return 0;
}

static int lock_run(struct bench *b, struct locking *l, struct err *err)
{
	struct bench_wait wait;
	uint64_t start;

	if (bench_block(&wait, err))
		return -1;
	if (bench_team_start(&l->team, futex_threads(l->o), true, lock_work, l, err)) {
		bench_unblock(&wait);
		return -1;
	}
	start = bench_now_ns();
	bench_team_go(&l->team);
	bench_wait(&wait, l->o->runtime);
	bench_team_stop(&l->team);
	start = bench_now_ns() - start;
	bench_team_join(&l->team);
	bench_unblock(&wait);
	return lock_show(b, l, (double)start / 1e9, err);
}

static int measure_lock_pi(struct bench *b, const void *v, struct err *err)
{
	struct locking l = {.o = v};
	unsigned int n = futex_threads(l.o);
	int got;

	if (futex_prepare(l.o, err))
		return -1;
	buf_printf(b->text,
		   "Run summary [PID %d]: %u threads doing pi lock/unlock pairing for %u secs.\n\n",
		   getpid(), n, l.o->runtime);
	futex_show_table(b, l.o);
	bench_flush(b);
	l.lockers = mem_alloc_lines(n * sizeof(*l.lockers));
	for (unsigned int i = 0; i < n; i++)
		l.lockers[i] = (struct locker){.word = &l.lockers[l.o->multi ? i : 0].own};
	got = lock_run(b, &l, err);
	free(l.lockers);
	return got;
}

const struct bench_suite bench_futex_lock_pi = {
	.defaults = &(const struct futex_opts){.runtime = 10},
	.opts_size = sizeof(struct futex_opts),
	.measure = measure_lock_pi,
};
