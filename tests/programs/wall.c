// SPDX-License-Identifier: MIT
/* Preloaded: the clock on the wall, which somebody sets an hour ahead and back again, ten times a
 * second. */
#include <dlfcn.h>
#include <time.h>

typedef int (*gettime_fn)(clockid_t clock, struct timespec *t);

int clock_gettime(clockid_t clock, struct timespec *t)
{
	gettime_fn real = (gettime_fn)dlsym(RTLD_NEXT, "clock_gettime");
	struct timespec steady;
	int got = real(clock, t);

	if (!got && clock == CLOCK_REALTIME && !real(CLOCK_MONOTONIC, &steady))
		t->tv_sec += steady.tv_nsec / 100000000 % 2 ? 3600 : 0;
	return got;
}
