/* SPDX-License-Identifier: MIT */
/* The ends of call chains, of stacks.c and stacks.cc: they burn as much processor time as each
 * other. C and C++. */
#ifndef BURN_H
#define BURN_H

#include <time.h>

#ifdef __clang__
#define FAR __attribute__((noinline))
#else
#define FAR __attribute__((noinline, noclone))
#endif

static volatile unsigned long sink;
static double span; /* seconds of each */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Inlined into each leaf, but for the clock's part. */
static inline __attribute__((always_inline)) void burn(void)
{
	double end = now() + span;

	while (now() < end)
		for (int i = 0; i < 200000; i++)
			sink = sink * 2862933555777941757UL + 1;
}

#define LEAF(name)                                                                                 \
	FAR void name(void)                                                                        \
	{                                                                                          \
		burn();                                                                            \
		sink = sink + 1;                                                                   \
	}

#endif
