// SPDX-License-Identifier: MIT
#include "bench/epoll/epoll.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

/* xorshift of 32 bits */
uint32_t epoll_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

/* Queues that watch queues that watch the common one. */
static int nest(const struct epoll_run *r, struct epoll_worker *w, struct err *err)
{
	struct epoll_event e = {.events = EPOLLHUP};
	unsigned int n = MIN(r->o->nested, (unsigned int)ARRAY_SIZE(w->nests));

	for (unsigned int i = 0; i < n; i++) {
		w->nests[i] = epoll_create1(EPOLL_CLOEXEC);
		if (w->nests[i] < 0)
			return err_sys(err, errno, "cannot make an epoll instance");
	}
	for (unsigned int i = 0; i < n; i++)
		if (epoll_ctl(i ? w->nests[i - 1] : w->queue, EPOLL_CTL_ADD, w->nests[i], &e))
			return err_sys(err, errno, "cannot nest epoll instances");
	return 0;
}

static int open_worker(struct epoll_run *r, unsigned int index, struct err *err)
{
	struct epoll_worker *w = &r->workers[index];

	w->seed = 2463534242u + index * 7919;
	w->queue = r->o->multi ? epoll_create1(EPOLL_CLOEXEC) : r->queue;
	if (w->queue < 0)
		return err_sys(err, errno, "cannot make an epoll instance");
	w->fds = mem_zero(r->o->fds * sizeof(*w->fds));
	for (unsigned int i = 0; i < r->o->fds; i++)
		w->fds[i] = -1;
	for (unsigned int i = 0; i < r->o->fds; i++) {
		w->fds[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
		if (w->fds[i] < 0)
			return err_sys(err, errno, "cannot make an eventfd");
	}
	/* a common queue has one nest */
	return r->o->nested && (r->o->multi || !index) ? nest(r, w, err) : 0;
}

int epoll_run_open(struct epoll_run *r, const struct epoll_opts *o, unsigned int threads,
		   struct err *err)
{
	*r = (struct epoll_run){.o = o, .n = threads, .queue = -1};
	if (!o->fds)
		return err_set(err, ERR_USAGE, "a thread needs a descriptor at least ('--nfds 0')");
	r->workers = mem_zero(MAX(threads, 1u) * sizeof(*r->workers));
	for (unsigned int i = 0; i < threads; i++)
		r->workers[i] = (struct epoll_worker){.queue = -1, .nests = {-1, -1, -1, -1}};
	if (!o->multi) {
		r->queue = epoll_create1(EPOLL_CLOEXEC);
		if (r->queue < 0)
			return err_sys(err, errno, "cannot make an epoll instance");
	}
	for (unsigned int i = 0; i < threads; i++)
		if (open_worker(r, i, err))
			return -1;
	return 0;
}

void epoll_run_close(struct epoll_run *r)
{
	for (unsigned int i = 0; i < r->n && r->workers; i++) {
		struct epoll_worker *w = &r->workers[i];

		for (unsigned int j = 0; w->fds && j < r->o->fds; j++)
			if (w->fds[j] >= 0)
				close(w->fds[j]);
		free(w->fds);
		for (size_t j = 0; j < ARRAY_SIZE(w->nests); j++)
			if (w->nests[j] >= 0)
				close(w->nests[j]);
		if (r->o->multi && w->queue >= 0)
			close(w->queue);
	}
	if (r->queue >= 0)
		close(r->queue);
	free(r->workers);
}

int epoll_run_limit(struct bench *b, const struct epoll_run *r, struct err *err)
{
	uint64_t need = (uint64_t)r->o->fds * r->n * 2 + 50;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return err_sys(err, errno, "cannot read the limit of open files");
	if (r->o->verbose)
		buf_printf(b->text, "Setting RLIMIT_NOFILE rlimit from %llu to: %llu\n",
			   (unsigned long long)limit.rlim_max, (unsigned long long)need);
	if (limit.rlim_cur >= need)
		return 0;
	limit.rlim_cur = need;
	limit.rlim_max = MAX(limit.rlim_max, need);
	if (!setrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	err_sys(err, errno, "cannot open %llu files", (unsigned long long)need);
	return err_hint(err, "ask for fewer descriptors (-f) or threads (-t)");
}

void epoll_run_head(struct bench *b, const struct epoll_run *r, unsigned int worker)
{
	const int *fds = r->workers[worker].fds;

	buf_printf(b->text, "[thread %2u] fdmap: %p ", worker, (const void *)fds);
	if (r->o->fds > 1)
		buf_printf(b->text, "... %p ", (const void *)&fds[r->o->fds - 1]);
}
