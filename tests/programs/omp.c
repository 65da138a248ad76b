// SPDX-License-Identifier: MIT
/*
 * omp [PERCENT]: an OpenMP program of three threads. Each does two iterations of a loop with a
 * static schedule; an iteration takes 10 ms, but the last one 100 ms, of which PERCENT (100): in
 * heavy_iteration(). Two such loops, with 30 ms of serial_part() before each. Work is sleeping.
 * Prints "wall NS".
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS 3

static int percent = 100;

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void rest(long long us)
{
	const struct timespec t = {us / 1000000, us % 1000000 * 1000};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

static void serial_part(void)
{
	rest(30000);
}

static void light_iteration(void)
{
	rest(10000);
}

static void heavy_iteration(void)
{
	rest(1000LL * percent);
}

int main(int argc, char **argv)
{
	const long long begin = now_ns();

	if (argc > 1)
		percent = atoi(argv[1]);
	for (int loop = 0; loop < 2; loop++) {
		serial_part();
#pragma omp parallel for schedule(static) num_threads(THREADS)
		for (int i = 0; i < 2 * THREADS; i++)
			if (i == 2 * THREADS - 1)
				heavy_iteration();
			else
				light_iteration();
	}
	printf("wall %lld\n", now_ns() - begin);
	return 0;
}
