// SPDX-License-Identifier: MIT
#include "bench/epoll/epoll.h"

#include <errno.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

const struct opt epoll_wait_options[] = {
	EPOLL_COMMON,
	{OPT_BOOL, 'R', "randomize", EPOLL_AT(randomize), NULL,
	 "Enable random write behaviour (default is lineal)"},
	{OPT_BOOL, 'm', "multiq", EPOLL_AT(multi), NULL,
	 "Use multiple epoll instances (one per thread)"},
	{OPT_BOOL, 'B', "nonblocking", EPOLL_AT(nonblocking), NULL,
	 "Nonblocking epoll_wait(2) behaviour"},
	{OPT_BOOL, 'S', "oneshot", EPOLL_AT(oneshot), NULL, "Use EPOLLONESHOT semantics"},
	{OPT_BOOL, 'E', "edge", EPOLL_AT(edge), NULL,
	 "Use Edge-triggered interface (default is LT)"},
	{OPT_END},
};

/* One event at a time: it is taken, its descriptor read, and armed again where that is needed. */
static void wait_work(void *v, unsigned int index)
{
	struct epoll_run *r = v;
	struct epoll_worker *w = &r->workers[index];

	while (!bench_team_stopped(&r->team)) {
		struct epoll_event e = {0};
		int got = epoll_wait(w->queue, &e, 1, r->o->nonblocking ? 0 : 100);
		uint64_t value;

		if (got < 0 && errno != EINTR) {
			w->failed = errno;
			return;
		}
		if (got == 1) {
			while (read(e.data.fd, &value, sizeof(value)) < 0 && errno == EINTR)
				;
			if (r->o->oneshot) {
				e.events = EPOLLIN | EPOLLONESHOT |
					   (r->o->edge ? (uint32_t)EPOLLET : 0);
				epoll_ctl(w->queue, EPOLL_CTL_MOD, e.data.fd, &e);
			}
		}
		w->ops[0] += got == 1 || r->o->nonblocking;
	}
}

struct writer {
	struct epoll_run *r;
	struct bench *b;
	uint64_t rounds;
	uint32_t seed;
};

static void write_to(const struct epoll_worker *w, unsigned int fd)
{
	const uint64_t one = 1;

	while (write(w->fds[fd], &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

static void *writer_work(void *v)
{
	struct writer *w = v;
	struct epoll_run *r = w->r;
	const struct timespec pause = {.tv_nsec = 500};

	for (; !__atomic_load_n(&r->written, __ATOMIC_RELAXED); w->rounds++) {
		for (unsigned int i = 0; i < r->n * r->o->fds; i++) {
			unsigned int at =
				r->o->randomize ? epoll_random(&w->seed) % (r->n * r->o->fds) : i;

			write_to(&r->workers[at / r->o->fds], at % r->o->fds);
		}
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static int watch_all(struct epoll_run *r, struct err *err)
{
	for (unsigned int i = 0; i < r->n; i++)
		for (unsigned int j = 0; j < r->o->fds; j++) {
			struct epoll_event e = {
				.events = EPOLLIN | (r->o->oneshot ? (uint32_t)EPOLLONESHOT : 0) |
					  (r->o->edge ? (uint32_t)EPOLLET : 0),
				.data.fd = r->workers[i].fds[j]};

			if (epoll_ctl(r->workers[i].queue, EPOLL_CTL_ADD, e.data.fd, &e))
				return err_sys(err, errno, "cannot watch a descriptor");
		}
	return 0;
}

static int wait_show(struct bench *b, const struct epoll_run *r, double seconds, struct err *err)
{
	struct bench_stats stats = {0};

	for (unsigned int i = 0; i < r->n; i++) {
		double rate = (double)r->workers[i].ops[0] / seconds;

		if (r->workers[i].failed)
			return err_sys(err, r->workers[i].failed, "epoll_wait failed");
		bench_stats_add(&stats, rate);
		epoll_run_head(b, r, i);
		buf_printf(b->text, "[ %04llu ops/sec ]\n", (unsigned long long)rate);
	}
	buf_printf(b->text, "\nAveraged %llu operations/sec (+- %.2f%%), total secs = %d\n",
		   (unsigned long long)stats.mean, bench_stats_percent(&stats), (int)seconds);
	bench_value(b, stats.mean, "operations/sec/thread");
	return 0;
}

static int wait_play(struct bench *b, struct epoll_run *r, struct bench_wait *wait, struct err *err)
{
	struct writer writer = {.r = r, .b = b, .seed = 88172645};
	pthread_t thread;
	uint64_t start;
	int got;

	if (r->o->verbose)
		buf_printf(b->text, "starting worker/consumer %sthreads%s\n",
			   r->o->no_affinity ? "" : "CPU affinity ",
			   r->o->nonblocking ? " (nonblocking)" : "");
	if (bench_team_start(&r->team, r->n, !r->o->no_affinity, wait_work, r, err))
		return -1;
	if (r->o->verbose)
		buf_printf(b->text, "starting writer-thread: doing %s writes ...\n",
			   r->o->randomize ? "random" : "lineal");
	bench_flush(b);
	start = bench_now_ns();
	bench_team_go(&r->team);
	got = pthread_create(&thread, NULL, writer_work, &writer);
	if (!got)
		bench_wait(wait, r->o->runtime);
	bench_team_stop(&r->team);
	start = bench_now_ns() - start;
	if (r->o->verbose)
		buf_str(b->text, "main thread: toggling done\n");
	bench_team_join(&r->team);
	__atomic_store_n(&r->written, true, __ATOMIC_RELAXED);
	if (got)
		return err_sys(err, got, "cannot start a thread");
	pthread_join(thread, NULL);
	if (r->o->verbose)
		buf_printf(b->text, "exiting writer-thread (total full-loops: %llu)\n",
			   (unsigned long long)writer.rounds);
	return wait_show(b, r, (double)start / 1e9, err);
}

static int measure_wait(struct bench *b, const void *v, struct err *err)
{
	const struct epoll_opts *o = v;
	/* one CPU is left to the thread that writes */
	unsigned int n = o->threads ? o->threads : MAX(bench_cpus(), 2u) - 1;
	struct epoll_run r = {.o = o, .n = n};
	struct bench_wait wait;
	int got;

	if (o->verbose)
		buf_printf(b->text, "Using %s queue model\nNesting level(s): %u\n",
			   o->multi ? "multi" : "single", o->nested);
	if (epoll_run_limit(b, &r, err) || bench_block(&wait, err))
		return -1;
	buf_printf(b->text,
		   "Run summary [PID %d]: %u threads monitoring%s on %u file-descriptors for %u "
		   "secs.\n\n",
		   getpid(), n, o->oneshot ? " (EPOLLONESHOT semantics)" : "", o->fds, o->runtime);
	bench_flush(b);
	got = epoll_run_open(&r, o, n, err) || watch_all(&r, err) ? -1
								  : wait_play(b, &r, &wait, err);
	epoll_run_close(&r);
	bench_unblock(&wait);
	return got;
}

const struct bench_suite bench_epoll_wait = {
	.defaults = &(const struct epoll_opts){.fds = 64, .runtime = 8},
	.opts_size = sizeof(struct epoll_opts),
	.measure = measure_wait,
};
