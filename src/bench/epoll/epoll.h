/* SPDX-License-Identifier: MIT */
/* What both epoll suites have: options, and threads with descriptors of their own. */
#ifndef BENCH_EPOLL_H
#define BENCH_EPOLL_H

#include "bench/suites.h"

struct epoll_opts {
	unsigned int threads, runtime, fds, nested;
	bool no_affinity, randomize, verbose, multi, nonblocking, oneshot, edge;
};

#define EPOLL_AT(field) offsetof(struct epoll_opts, field)
#define EPOLL_COMMON                                                                               \
	{OPT_UINT, 't', "threads", EPOLL_AT(threads), "n", "Specify amount of threads"},           \
		{OPT_UINT, 'r', "runtime", EPOLL_AT(runtime), "n", "Specify runtime (in seconds)"},\
		{OPT_UINT, 'f', "nfds", EPOLL_AT(fds), "n",                                        \
		 "Specify amount of file descriptors to monitor for each thread"},                 \
		{OPT_BOOL, 'n', "noaffinity", EPOLL_AT(no_affinity), NULL,                         \
		 "Disables CPU affinity"},                                                         \
		{OPT_UINT, 'N', "nested", EPOLL_AT(nested), "n",                                   \
		 "Nesting level epoll hierarchy (default is 0, no nesting)"},                      \
	{                                                                                          \
		OPT_BOOL, 'v', "verbose", EPOLL_AT(verbose), NULL, "Verbose mode"                  \
	}

struct epoll_worker {
	int queue; /* the epoll instance it waits at */
	int *fds;  /* eventfds */
	int nests[4]; /* epoll instances below its own */
	uint64_t ops[3];
	uint32_t seed;
	int failed; /* an errno */
};

struct epoll_run {
	const struct epoll_opts *o;
	unsigned int n;
	int queue; /* the common one, or -1 */
	bool written; /* nothing will be written any more */
	struct bench_team team;
	struct epoll_worker *workers;
};

/* Makes queues and descriptors; 0 or -1 with *err. Close in either case. */
int epoll_run_open(struct epoll_run *r, const struct epoll_opts *o, unsigned int threads,
		   struct err *err);
void epoll_run_close(struct epoll_run *r);
/* Raises the limit of open files to what is needed; with -v it says so. */
int epoll_run_limit(struct bench *b, const struct epoll_run *r, struct err *err);
/* The first descriptors of a line about a worker: "[thread  0] fdmap: 0x... ". */
void epoll_run_head(struct bench *b, const struct epoll_run *r, unsigned int worker);
uint32_t epoll_random(uint32_t *seed);

#endif
