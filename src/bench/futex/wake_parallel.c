// SPDX-License-Identifier: MIT
#include "bench/futex/sleepers.h"

const struct opt futex_wake_parallel_options[] = {
	FUTEX_THREADS,
	{OPT_UINT, 'w', "nwakers", FUTEX_AT(most), "n", "Specify amount of waking threads"},
	{OPT_END},
};

struct wakers {
	struct sleepers *sleepers;
	struct bench_team team;
	unsigned int share; /* each is to wake so many */
	struct waker {
		uint64_t ns;
		int woken;
	} * all;
};

static void waker_work(void *v, unsigned int index)
{
	struct wakers *w = v;
	uint64_t start = bench_now_ns();

	w->all[index].woken = futex_wake(&w->sleepers->word, (int)w->share, w->sleepers->o->shared);
	w->all[index].ns = bench_now_ns() - start;
}

static int parallel_once(struct bench *b, struct wakers *w, unsigned int n, unsigned int run,
			 struct bench_stats *all, struct err *err)
{
	struct bench_stats ms = {0};
	struct sleepers *s = w->sleepers;
	unsigned int woken = 0;
	int got;

	if (sleepers_start(s, err))
		return -1;
	got = bench_team_start(&w->team, n, false, waker_work, w, err);
	if (!got) {
		bench_team_go(&w->team);
		bench_team_join(&w->team);
	}
	sleepers_end(s);
	if (got)
		return -1;
	for (unsigned int i = 0; i < n; i++) {
		woken += (unsigned int)MAX(w->all[i].woken, 0);
		bench_stats_add(&ms, (double)w->all[i].ns / 1e6);
	}
	if (woken < s->team.n) {
		if (!s->o->silent)
			buf_printf(b->text, "[Run %u]: Could not wakeup all tasks (%u/%u)\n", run,
				   woken, s->team.n);
		return 0;
	}
	bench_stats_add(all, ms.mean);
	bench_value(b, ms.mean, "ms");
	if (!s->o->silent)
		buf_printf(b->text,
			   "[Run %u]: Avg per-thread latency (waking %u/%u threads) in %.4f ms "
			   "(+-%.2f%%)\n",
			   run, w->share, s->team.n, ms.mean, bench_stats_percent(&ms));
	bench_flush(b);
	return 0;
}

static int measure_wake_parallel(struct bench *b, const void *v, struct err *err)
{
	struct sleepers s = {.o = v};
	unsigned int n = futex_threads(s.o), wakers = s.o->most && s.o->most <= n ? s.o->most : n;
	struct wakers w = {.sleepers = &s, .share = n / wakers};
	struct bench_stats all = {0};
	int got = 0;

	if (n % wakers)
		return err_set(err, ERR_USAGE,
			       "%u threads cannot be shared out evenly to %u that wake them", n,
			       wakers);
	if (futex_prepare(s.o, err))
		return -1;
	buf_printf(b->text,
		   "Run summary [PID %d]: blocking on %u threads (at [%s] futex %p), %u threads "
		   "waking up %u at a time.\n\n",
		   getpid(), n, futex_kind(s.o), (void *)&s.word, wakers, w.share);
	futex_show_table(b, s.o);
	bench_flush(b);
	w.all = mem_zero(wakers * sizeof(*w.all));
	for (unsigned int i = 1; i <= b->repeat && !got; i++)
		got = parallel_once(b, &w, wakers, i, &all, err);
	free(w.all);
	if (!got)
		buf_printf(b->text,
			   "Avg per-thread latency (waking %u/%u threads) in %.4f ms (+-%.2f%%)\n",
			   w.share, n, all.mean, bench_stats_percent(&all));
	return got;
}

const struct bench_suite bench_futex_wake_parallel = {
	.defaults = &(const struct futex_opts){0},
	.opts_size = sizeof(struct futex_opts),
	.repeats = true,
	.measure = measure_wake_parallel,
};
