// SPDX-License-Identifier: MIT
/* Preloaded: the monotonic clock runs ten thousand times as fast from the first look at it on. */
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

#define SECOND 1000000000

typedef int (*gettime_fn)(clockid_t clock, struct timespec *t);

int clock_gettime(clockid_t clock, struct timespec *t)
{
	gettime_fn real = (gettime_fn)dlsym(RTLD_NEXT, "clock_gettime");
	static int64_t start;
	int got = real(clock, t);
	int64_t now;

	if (got || clock != CLOCK_MONOTONIC)
		return got;
	now = (int64_t)t->tv_sec * SECOND + t->tv_nsec;
	if (!start)
		start = now;
	now = start + (now - start) * 10000;
	t->tv_sec = now / SECOND;
	t->tv_nsec = now % SECOND;
	return 0;
}
