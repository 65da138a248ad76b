// SPDX-License-Identifier: MIT
/*
 * shares [SECONDS]: 75 % of the time in hot(), 20 % in warm(), 5 % in cold(), by count of equal
 * work.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

#define SPIN(n)                                                                                    \
	for (unsigned long i = 0; i < (n); i++)                                                    \
	sink = sink * 2862933555777941757UL + 3037000493UL

void hot(unsigned long n)
{
	SPIN(n * 75);
}

void warm(unsigned long n)
{
	SPIN(n * 20);
}

void cold(unsigned long n)
{
	SPIN(n * 5);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	double end = argc > 1 ? atof(argv[1]) : 1;

	while (now() < end) {
		hot(2000);
		warm(2000);
		cold(2000);
	}
	return 0;
}
