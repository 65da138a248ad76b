// SPDX-License-Identifier: MIT
#include "bench/futex/sleepers.h"

const struct opt futex_wake_options[] = {
	FUTEX_THREADS,
	{OPT_UINT, 'w', "nwakes", FUTEX_AT(most), "n", "Specify amount of threads to wake at once"},
	{OPT_END},
};

const struct opt futex_requeue_options[] = {
	FUTEX_THREADS,
	{OPT_UINT, 'q', "nrequeue", FUTEX_AT(most), "n",
	 "Specify amount of threads to requeue at once"},
	{OPT_BOOL, 'p', "pi", FUTEX_AT(pi), NULL, "Use PI-aware variants of FUTEX_CMP_REQUEUE"},
	{OPT_BOOL, 'B', "broadcast", FUTEX_AT(broadcast), NULL, "Requeue all threads at once"},
	{OPT_END},
};

/* What several runs gave. */
struct waking {
	struct bench_stats ms, count;
};

static void waking_add(struct bench *b, struct waking *w, uint64_t ns, unsigned int count)
{
	bench_stats_add(&w->ms, (double)ns / 1e6);
	bench_stats_add(&w->count, count);
	bench_value(b, (double)ns / 1e6, "ms");
}

static int wake_once(struct bench *b, struct sleepers *s, unsigned int most, unsigned int run,
		     struct waking *w, struct err *err)
{
	unsigned int woken = 0;
	uint64_t start;

	if (sleepers_start(s, err))
		return -1;
	start = bench_now_ns();
	while (woken < s->team.n) {
		int got = futex_wake(&s->word, (int)most, s->o->shared);

		if (got > 0)
			woken += (unsigned int)got;
		else if (__atomic_load_n(&s->awake, __ATOMIC_ACQUIRE) >= s->team.n)
			break;
	}
	start = bench_now_ns() - start;
	waking_add(b, w, start, woken);
	if (!s->o->silent)
		buf_printf(b->text, "[Run %u]: Wokeup %u of %u threads in %.4f ms\n", run, woken,
			   s->team.n, (double)start / 1e6);
	bench_flush(b);
	sleepers_end(s);
	return 0;
}

static int measure_wake(struct bench *b, const void *v, struct err *err)
{
	struct sleepers s = {.o = v};
	unsigned int n = futex_threads(s.o), most = s.o->most ? s.o->most : 1;
	struct waking w = {0};

	if (futex_prepare(s.o, err))
		return -1;
	buf_printf(b->text,
		   "Run summary [PID %d]: blocking on %u threads (at [%s] futex %p), waking up %u "
		   "at a time.\n\n",
		   getpid(), n, futex_kind(s.o), (void *)&s.word, most);
	futex_show_table(b, s.o);
	bench_flush(b);
	for (unsigned int i = 1; i <= b->repeat; i++)
		if (wake_once(b, &s, most, i, &w, err))
			return -1;
	buf_printf(b->text, "Wokeup %d of %u threads in %.4f ms (+-%.2f%%)\n", (int)w.count.mean, n,
		   w.ms.mean, bench_stats_percent(&w.ms));
	return 0;
}

/* One requeueing call. Those with priority inheritance also wake one thread; it counts. */
static int requeue_some(struct sleepers *s, unsigned int most)
{
	if (s->o->pi)
		return futex_call(&s->word, FUTEX_CMP_REQUEUE_PI, s->o->shared, 1,
				  (void *)(uintptr_t)most, &s->other, 0);
	return futex_call(&s->word, FUTEX_CMP_REQUEUE, s->o->shared, 0, (void *)(uintptr_t)most,
			  &s->other, 0);
}

static int requeue_once(struct bench *b, struct sleepers *s, unsigned int most, unsigned int run,
			struct waking *w, struct err *err)
{
	unsigned int moved = 0, woken = 0;
	uint64_t start;
	int got = 0;

	if (sleepers_start(s, err))
		return -1;
	start = bench_now_ns();
	while (moved < s->team.n) {
		got = requeue_some(s, most);
		if (got == -EAGAIN || got == -EINTR)
			continue;
		if (got < 0)
			break;
		moved += (unsigned int)got;
		/* a waiter that finds the lock free gets it at once */
		woken += s->o->pi && got > 0;
		if (!got && __atomic_load_n(&s->awake, __ATOMIC_ACQUIRE) + moved >= s->team.n)
			break;
	}
	start = bench_now_ns() - start;
	sleepers_end(s);
	if (got < 0)
		return err_sys(err, -got, "cannot move threads from one futex to another");
	waking_add(b, w, start, moved);
	if (!s->o->silent && s->o->pi)
		buf_printf(b->text,
			   "[Run %u]: Awoke and Requeued (%u+%u) of %u threads in %.4f ms\n", run,
			   woken, moved - woken, s->team.n, (double)start / 1e6);
	else if (!s->o->silent)
		buf_printf(b->text, "[Run %u]: Requeued %u of %u threads in %.4f ms\n", run, moved,
			   s->team.n, (double)start / 1e6);
	bench_flush(b);
	return 0;
}

static int measure_requeue(struct bench *b, const void *v, struct err *err)
{
	struct sleepers s = {.o = v};
	unsigned int n = futex_threads(s.o), most = s.o->broadcast ? n : s.o->most ? s.o->most : 1;
	struct waking w = {0};

	if (futex_prepare(s.o, err))
		return -1;
	most = MIN(most, n);
	buf_printf(b->text,
		   "Run summary [PID %d]: Requeuing %u threads (from [%s] %p to %s%p), %u at a "
		   "time.\n\n",
		   getpid(), n, futex_kind(s.o), (void *)&s.word, s.o->pi ? "PI " : "",
		   (void *)&s.other, most);
	futex_show_table(b, s.o);
	bench_flush(b);
	for (unsigned int i = 1; i <= b->repeat; i++)
		if (requeue_once(b, &s, most, i, &w, err))
			return -1;
	buf_printf(b->text, "Requeued %d of %u threads in %.4f ms (+-%.2f%%)\n", (int)w.count.mean,
		   n, w.ms.mean, bench_stats_percent(&w.ms));
	return 0;
}

const struct bench_suite bench_futex_wake = {
	.defaults = &(const struct futex_opts){.most = 1},
	.opts_size = sizeof(struct futex_opts),
	.repeats = true,
	.measure = measure_wake,
};

const struct bench_suite bench_futex_requeue = {
	.defaults = &(const struct futex_opts){.most = 1},
	.opts_size = sizeof(struct futex_opts),
	.repeats = true,
	.measure = measure_requeue,
};
