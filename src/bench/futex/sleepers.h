/* SPDX-License-Identifier: MIT */
/* Threads that sleep on a futex until they are woken: what the suites that wake and requeue work
 * on. */
#ifndef BENCH_SLEEPERS_H
#define BENCH_SLEEPERS_H

#include "bench/futex/futex_opts.h"

struct sleepers {
	const struct futex_opts *o;
	struct bench_team team;
	uint32_t word;	/* they wait on this one */
	uint32_t other; /* where they are moved to (requeue) */
	uint32_t awake; /* how many have come back */
	int32_t *tids;	/* of those on their way to sleep */
};

/* Starts them, and returns when all sleep. */
int sleepers_start(struct sleepers *s, struct err *err);
/* Wakes whoever still sleeps, and joins them. */
void sleepers_end(struct sleepers *s);

#endif
