// SPDX-License-Identifier: MIT
/*
 * execs MS PROGRAM...: burns MS milliseconds of processor time, then execs the first PROGRAM (a
 * copy of this one) with MS and the others. One process that is many programs in turn, of equal
 * shares.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void work(double seconds)
{
	double end = now() + seconds;

	while (now() < end)
		for (int i = 0; i < 100000; i++)
			sink = sink * 2862933555777941757UL + 1;
}

int main(int argc, char **argv)
{
	char *milliseconds;

	if (argc < 2)
		return 2;
	milliseconds = argv[1];
	work(atoi(milliseconds) / 1e3);
	if (argc == 2)
		return 0;
	argv[1] = argv[2];
	argv[2] = milliseconds;
	execv(argv[1], argv + 1);
	perror(argv[1]);
	return 1;
}
