/* SPDX-License-Identifier: MIT */
/* Clocks of the kernel. */
#ifndef BASE_MONOTONIC_H
#define BASE_MONOTONIC_H

#include <stdint.h>
#include <time.h>

/* A clock's time, ns; 0: there is no such clock. */
static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	return clock_gettime(clock, &t) ? 0
					: (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* CLOCK_MONOTONIC, ns: the clock for waits and durations. */
static inline uint64_t monotonic_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

#endif
