// SPDX-License-Identifier: MIT
#include "bench/futex/futex_opts.h"

const struct opt futex_hash_options[] = {
	FUTEX_THREADS,
	FUTEX_RUNTIME,
	{OPT_UINT, 'f', "futexes", FUTEX_AT(futexes), "n", "Specify amount of futexes per threads"},
	{OPT_END},
};

struct hasher {
	uint32_t *words;
	uint64_t ops;
	int failed; /* a negative errno */
};

struct hashing {
	const struct futex_opts *o;
	struct bench_team team;
	struct hasher *hashers;
};

/* The word isn't what it waits for: the kernel looks the futex up in its hash table and says so. */
static void hash_work(void *v, unsigned int index)
{
	struct hashing *h = v;
	struct hasher *mine = &h->hashers[index];
	uint64_t ops = 0;

	while (!bench_team_stopped(&h->team))
		for (unsigned int i = 0; i < h->o->futexes; i++, ops++) {
			int got = futex_wait(&mine->words[i], 1234, h->o->shared);

			if (got != -EAGAIN) {
				mine->failed = got ? got : -EINVAL;
				return;
			}
		}
	mine->ops = ops;
}

static int hash_show(struct bench *b, const struct hashing *h, double seconds, struct err *err)
{
	struct bench_stats stats = {0};

	for (unsigned int i = 0; i < h->team.n; i++) {
		const struct hasher *t = &h->hashers[i];
		double rate = (double)t->ops / seconds;

		if (t->failed)
			return err_sys(err, -t->failed, "futex_wait failed");
		bench_stats_add(&stats, rate);
		if (h->o->silent)
			continue;
		buf_printf(b->text, "[thread %2u] ", i);
		if (h->o->futexes == 1)
			buf_printf(b->text, "futex: %p [ %llu ops/sec ]\n", (void *)t->words,
				   (unsigned long long)rate);
		else
			buf_printf(b->text, "futexes: %p ... %p [ %llu ops/sec ]\n",
				   (void *)t->words, (void *)&t->words[h->o->futexes - 1],
				   (unsigned long long)rate);
	}
	buf_printf(b->text, "%sAveraged %llu operations/sec (+- %.2f%%), total secs = %d\n",
		   h->o->silent ? "" : "\n", (unsigned long long)stats.mean,
		   bench_stats_percent(&stats), (int)seconds);
	bench_value(b, stats.mean, "operations/sec/thread");
	return 0;
}

static int hash_run(struct bench *b, struct hashing *h, struct err *err)
{
	struct bench_wait wait;
	uint64_t start;

	if (bench_block(&wait, err))
		return -1;
	if (bench_team_start(&h->team, futex_threads(h->o), true, hash_work, h, err)) {
		bench_unblock(&wait);
		return -1;
	}
	start = bench_now_ns();
	bench_team_go(&h->team);
	bench_wait(&wait, h->o->runtime);
	bench_team_stop(&h->team);
	start = bench_now_ns() - start;
	bench_team_join(&h->team);
	bench_unblock(&wait);
	return hash_show(b, h, (double)start / 1e9, err);
}

static int measure_hash(struct bench *b, const void *v, struct err *err)
{
	struct hashing h = {.o = v};
	unsigned int n = futex_threads(h.o);
	int got;

	if (!h.o->futexes)
		return err_set(err, ERR_USAGE, "a thread needs a futex at least ('--futexes 0')");
	if (futex_prepare(h.o, err))
		return -1;
	buf_printf(b->text,
		   "Run summary [PID %d]: %u threads, each operating on %u [%s] futexes for %u "
		   "secs.\n\n",
		   getpid(), n, h.o->futexes, futex_kind(h.o), h.o->runtime);
	futex_show_table(b, h.o);
	bench_flush(b);
	h.hashers = mem_zero(n * sizeof(*h.hashers));
	for (unsigned int i = 0; i < n; i++)
		h.hashers[i].words = mem_zero(h.o->futexes * sizeof(uint32_t));
	got = hash_run(b, &h, err);
	for (unsigned int i = 0; i < n; i++)
		free(h.hashers[i].words);
	free(h.hashers);
	return got;
}

const struct bench_suite bench_futex_hash = {
	.defaults = &(const struct futex_opts){.futexes = 1024, .runtime = 10},
	.opts_size = sizeof(struct futex_opts),
	.measure = measure_hash,
};
