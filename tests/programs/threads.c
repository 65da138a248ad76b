// SPDX-License-Identifier: MIT
/*
 * threads [N [SECONDS]]: N threads called worker-0, worker-1, ... that burn equal processor time,
 * each below its own depth of calls.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

static double seconds = 0.5;
static volatile unsigned long sink;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void burn(void)
{
	for (int i = 0; i < 200000; i++)
		sink = sink * 2862933555777941757UL + 1;
}

int nest(int depth)
{
	if (depth == 0) {
		while (now() < seconds)
			burn();
		return 0;
	}
	return nest(depth - 1) + 1;
}

static void *worker(void *arg)
{
	long n = (long)arg;
	char name[16];

	snprintf(name, sizeof(name), "worker-%ld", n % 1000);
	prctl(PR_SET_NAME, name);
	nest((int)n + 1);
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 2;
	pthread_t threads[64];

	if (argc > 2)
		seconds = atof(argv[2]);
	if (n < 1 || n > 64)
		return 2;
	for (long i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, worker, (void *)i))
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
