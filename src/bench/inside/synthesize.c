// SPDX-License-Identifier: MIT
#include "bench/inside/inside.h"

#include "base/pool.h"
#include "capture/synth/synth.h"

#include <unistd.h>

const struct opt synthesize_options[] = {
	{OPT_BOOL, 's', "st", INSIDE_AT(one_thread), NULL, "Run single threaded benchmark"},
	{OPT_BOOL, 't', "mt", INSIDE_AT(many_threads), NULL, "Run multi-threaded benchmark"},
	{OPT_UINT, 'm', "min-threads", INSIDE_AT(min_threads), "n",
	 "Minimum number of threads in multithreaded bench"},
	{OPT_UINT, 'M', "max-threads", INSIDE_AT(max_threads), "n",
	 "Maximum number of threads in multithreaded bench"},
	{OPT_UINT, 'i', "single-iterations", INSIDE_AT(iterations), "n",
	 "Number of iterations used to compute single-threaded average"},
	{OPT_UINT, 'I', "multi-iterations", INSIDE_AT(many_iterations), "n",
	 "Number of iterations used to compute multi-threaded average"},
	{OPT_END},
};

static uint64_t count_records(const struct buf *b)
{
	uint64_t n = 0;

	for (size_t at = 0; at + sizeof(struct record_header) <= b->n; n++) {
		struct record_header h;

		memcpy(&h, b->at + at, sizeof(h));
		at += MAX((size_t)h.size, sizeof(h));
	}
	return n;
}

static struct synth_options synth_of(bool data)
{
	return (struct synth_options){.tasks = true,
				      .maps = true,
				      .data_maps = data,
				      .map_timeout_ms = 500,
				      .proc_root = "/proc",
				      .sys_root = "/sys"};
}

static void synthesize_show(struct bench *b, const char *indent, const char *what,
			    const struct bench_stats *us, const struct bench_stats *events)
{
	buf_printf(b->text, "%s  Average %ssynthesis took: %.3f usec (+- %.3f usec)\n", indent,
		   what, us->mean, bench_stats_error(us));
	buf_printf(b->text, "%s  Average num. events: %.3f (+- %.3f)\n", indent, events->mean,
		   bench_stats_error(events));
	buf_printf(b->text, "%s  Average time per event %.3f usec\n", indent,
		   events->mean > 0 ? us->mean / events->mean : 0);
}

static void measure_self(struct bench *b, const struct inside_opts *o, bool data)
{
	const struct synth_options opts = synth_of(data);
	struct bench_stats us = {0}, events = {0};

	for (unsigned int i = 0; i < o->iterations; i++) {
		struct buf records = {0};
		struct synth s = {.opts = &opts, .writer = {.b = &records}};
		uint64_t start = bench_now_ns();

		synth_process(&s, getpid());
		bench_stats_add(&us, (double)(bench_now_ns() - start) / 1000);
		bench_stats_add(&events, (double)count_records(&records));
		synth_release(&s);
		buf_release(&records);
	}
	synthesize_show(b, "", data ? "data " : "", &us, &events);
	bench_value(b, us.mean, data ? "data usec" : "usec");
}

struct shared {
	const struct synth_options *opts;
	const struct proc_ids *pids;
	struct buf *records; /* of each worker */
};

static void synth_one(void *v, size_t i, unsigned int worker)
{
	const struct shared *sh = v;
	struct synth s = {.opts = sh->opts, .writer = {.b = &sh->records[worker]}};

	synth_process(&s, sh->pids->at[i]);
	synth_release(&s);
}

static void measure_machine(struct bench *b, const struct inside_opts *o, unsigned int threads)
{
	const struct synth_options opts = synth_of(false);
	struct bench_stats us = {0}, events = {0};

	for (unsigned int i = 0; i < o->many_iterations; i++) {
		struct proc_ids pids = {0};
		struct buf *records = mem_zero(threads * sizeof(*records));
		struct shared sh = {&opts, &pids, records};
		AUTO(pool) *pool = pool_new(threads);
		uint64_t start = bench_now_ns(), n = 0;

		proc_pids("/proc", &pids);
		pool_for(pool, pids.n, synth_one, &sh);
		bench_stats_add(&us, (double)(bench_now_ns() - start) / 1000);
		for (unsigned int j = 0; j < threads; j++) {
			n += count_records(&records[j]);
			buf_release(&records[j]);
		}
		bench_stats_add(&events, (double)n);
		free(records);
		vec_release(&pids);
	}
	buf_printf(b->text, "  Number of synthesis threads: %u\n", threads);
	synthesize_show(b, "  ", "", &us, &events);
	bench_value(b, us.mean, "%u threads usec", threads);
	bench_flush(b);
}

static int measure_synthesize(struct bench *b, const void *v, struct err *err)
{
	const struct inside_opts *o = v;
	unsigned int most = o->max_threads == UINT32_MAX ? bench_cpus() : o->max_threads;

	if (!o->min_threads || o->min_threads > most)
		return err_set(err, ERR_USAGE, "there is no number of threads from %u to %u",
			       o->min_threads, most);
	if (o->one_thread || !o->many_threads) {
		buf_str(b->text,
			"Computing performance of single threaded perf event synthesis by\n"
			"synthesizing events on the perf process itself:\n");
		measure_self(b, o, false);
		measure_self(b, o, true);
	}
	if (o->many_threads) {
		/* the second line is perf's: it names a CPU, and means the machine */
		buf_str(b->text, "Computing performance of multi threaded perf event synthesis by\n"
				 "synthesizing events on CPU 0:\n");
		for (unsigned int n = o->min_threads; n <= most; n++)
			measure_machine(b, o, n);
	}
	return 0;
}

const struct bench_suite bench_internals_synthesize = {
	.defaults = &(const struct inside_opts){.iterations = 10000,
						.many_iterations = 10,
						.min_threads = 1,
						.max_threads = UINT32_MAX},
	.opts_size = sizeof(struct inside_opts),
	.measure = measure_synthesize,
};
