// SPDX-License-Identifier: MIT
#include "bench/epoll/epoll.h"

#include <errno.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

const struct opt epoll_ctl_options[] = {
	EPOLL_COMMON,
	{OPT_BOOL, 'R', "randomize", EPOLL_AT(randomize), NULL,
	 "Perform random operations on random fds"},
	{OPT_END},
};

enum { ADD, MOD, DEL };

static void ctl_do(struct epoll_worker *w, int op, int fd)
{
	static const int ops[] = {EPOLL_CTL_ADD, EPOLL_CTL_MOD, EPOLL_CTL_DEL};
	struct epoll_event e = {.events = op == MOD ? EPOLLOUT : EPOLLIN, .data.fd = fd};

	w->ops[op] += !epoll_ctl(w->queue, ops[op], fd, &e);
}

static void ctl_work(void *v, unsigned int index)
{
	struct epoll_run *r = v;
	struct epoll_worker *w = &r->workers[index];
	const struct timespec pause = {.tv_nsec = 250};

	while (!bench_team_stopped(&r->team)) {
		if (r->o->randomize)
			ctl_do(w, (int)(epoll_random(&w->seed) % 3),
			       w->fds[epoll_random(&w->seed) % r->o->fds]);
		for (unsigned int i = 0; i < r->o->fds && !r->o->randomize; i++)
			for (int op = ADD; op <= DEL; op++)
				ctl_do(w, op, w->fds[i]);
		nanosleep(&pause, NULL);
	}
}

static void ctl_show(struct bench *b, const struct epoll_run *r)
{
	static const char *const names[] = {"ADD", "MOD", "DEL"};
	struct bench_stats stats[3] = {{0}};

	for (unsigned int i = 0; i < r->n; i++) {
		const uint64_t *ops = r->workers[i].ops;

		for (int op = ADD; op <= DEL; op++)
			bench_stats_add(&stats[op], (double)ops[op]);
		epoll_run_head(b, r, i);
		buf_printf(b->text, "[ add: %04llu ops; mod: %04llu ops; del: %04llu ops ]\n",
			   (unsigned long long)ops[ADD], (unsigned long long)ops[MOD],
			   (unsigned long long)ops[DEL]);
	}
	buf_char(b->text, '\n');
	for (int op = ADD; op <= DEL; op++) {
		buf_printf(b->text, "Averaged %llu %s operations (+- %.2f%%)\n",
			   (unsigned long long)stats[op].mean, names[op],
			   bench_stats_percent(&stats[op]));
		bench_value(b, stats[op].mean, "%s operations/thread", names[op]);
	}
}

static int ctl_play(struct bench *b, struct epoll_run *r, struct bench_wait *wait, struct err *err)
{
	/* half of them are watched already, so that each of random operations may succeed */
	for (unsigned int i = 0; r->o->randomize && i < r->n; i++)
		for (unsigned int j = 0; j < r->o->fds; j += 2) {
			ctl_do(&r->workers[i], ADD, r->workers[i].fds[j]);
			r->workers[i].ops[ADD] = 0;
		}
	if (bench_team_start(&r->team, r->n, !r->o->no_affinity, ctl_work, r, err))
		return -1;
	bench_team_go(&r->team);
	bench_wait(wait, r->o->runtime);
	bench_team_stop(&r->team);
	if (r->o->verbose)
		buf_str(b->text, "main thread: toggling done\n");
	bench_team_join(&r->team);
	ctl_show(b, r);
	return 0;
}

static int measure_ctl(struct bench *b, const void *v, struct err *err)
{
	const struct epoll_opts *o = v;
	unsigned int n = o->threads ? o->threads : bench_cpus();
	struct epoll_run r = {.o = o, .n = n};
	struct bench_wait wait;
	int got;

	if (o->nested && o->verbose)
		buf_printf(b->text, "Nesting level(s): %u\n", o->nested);
	if (epoll_run_limit(b, &r, err) || bench_block(&wait, err))
		return -1;
	buf_printf(b->text,
		   "Run summary [PID %d]: %u threads doing epoll_ctl ops %u file-descriptors for "
		   "%u secs.\n\n",
		   getpid(), n, o->fds, o->runtime);
	bench_flush(b);
	got = epoll_run_open(&r, o, n, err) ? -1 : ctl_play(b, &r, &wait, err);
	epoll_run_close(&r);
	bench_unblock(&wait);
	return got;
}

const struct bench_suite bench_epoll_ctl = {
	.defaults = &(const struct epoll_opts){.fds = 64, .runtime = 8},
	.opts_size = sizeof(struct epoll_opts),
	.measure = measure_ctl,
};
