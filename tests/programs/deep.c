// SPDX-License-Identifier: MIT
/*
 * deep [DEPTH [SECONDS [BYTES]]]: burns processor time DEPTH calls down (100): for long call
 * chains, and for limits like --max-stack. SECONDS below 0 are turns of some ms, without a question
 * for the time, so that no chain leads into the vdso. The outermost function takes so many bytes of
 * the stack (0).
 */
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void bottom(double end)
{
	while (end < 0 ? ++end < 0 : now() < end)
		for (int i = 0; i < 200000; i++)
			sink = sink * 2862933555777941757UL + 1;
}

int odd(int depth, double end);

int even(int depth, double end)
{
	if (depth <= 0)
		bottom(end);
	else
		odd(depth - 1, end);
	return depth;
}

int odd(int depth, double end)
{
	if (depth <= 0)
		bottom(end);
	else
		even(depth - 1, end);
	return depth;
}

int main(int argc, char **argv)
{
	size_t bytes = (size_t)(argc > 3 ? atoi(argv[3]) : 0) + 16;
	volatile char *room = __builtin_alloca(bytes);

	/* Copies of stacks end at pages that were never touched. */
	for (size_t i = bytes; i-- > 0;)
		room[i] = 1;
	even(argc > 1 ? atoi(argv[1]) : 100, argc > 2 ? atof(argv[2]) : 0.5);
	return 0;
}
