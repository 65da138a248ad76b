// SPDX-License-Identifier: MIT
/*
 * self-frame: spins 0.3 s with a frame pointer that points to itself, as a word of data may do that
 * is taken for one: a walk by frame pointers goes on for ever.
 */
#include <time.h>

static void *frame[2];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void spin(void)
{
	unsigned long n = 1000000;

	__asm__ volatile("mov %%rbp, %%rdx\n\t"
			 "mov %1, %%rbp\n"
			 "1:\n\t"
			 "sub $1, %0\n\t"
			 "jnz 1b\n\t"
			 "mov %%rdx, %%rbp"
			 : "+r"(n)
			 : "r"(frame)
			 : "rdx", "cc", "memory");
}

int main(void)
{
	frame[0] = frame[1] = frame;
	while (now() < 0.3)
		spin();
	return 0;
}
