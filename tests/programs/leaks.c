/* SPDX-License-Identifier: MIT */
/*
 * Leaks in a known way, ROUNDS times with a pause of 1 ms, when it got a line on standard input,
 * and waits for another one before it ends:
 *
 *   leak_malloc   100 bytes            leak_calloc   300 bytes
 *   leak_realloc  777 bytes, every 4th round (of 10 that grow)
 *   leak_aligned  256 bytes, every 2nd round
 *   give_back     nothing: 3000 bytes come and go
 *
 * Then it gives back the 50 x 1000 bytes that it had from the beginning.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef __clang__
#define NEVER_INLINE __attribute__((noinline))
#else
#define NEVER_INLINE __attribute__((noinline, noclone))
#endif

static void *volatile kept;

NEVER_INLINE void leak_malloc(void)
{
	kept = malloc(100);
}

NEVER_INLINE void leak_calloc(void)
{
	kept = calloc(10, 30);
}

NEVER_INLINE void leak_realloc(void)
{
	kept = malloc(10);
	kept = realloc(kept, 777);
}

NEVER_INLINE void leak_aligned(void)
{
	kept = aligned_alloc(64, 256);
}

NEVER_INLINE void give_back(void)
{
	kept = realloc(NULL, 100);
	kept = realloc(kept, 3000);
	free(kept);
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 100;
	const struct timespec pause = {.tv_nsec = 1000000};
	void *before[50];

	for (int i = 0; i < 50; i++)
		before[i] = malloc(1000);
	puts("ready");
	fflush(stdout);
	if (getchar() < 0)
		return 1;
	for (int i = 0; i < rounds; i++) {
		leak_malloc();
		leak_calloc();
		if (i % 4 == 0)
			leak_realloc();
		if (i % 2 == 0)
			leak_aligned();
		give_back();
		nanosleep(&pause, NULL);
	}
	for (int i = 0; i < 50; i++)
		free(before[i]);
	puts("done");
	fflush(stdout);
	getchar();
	return 0;
}
