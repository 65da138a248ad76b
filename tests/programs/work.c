/* SPDX-License-Identifier: MIT */
/*
 * work TURNS: so many turns of a loop in user space, then as many divided by 100 system calls, and
 * nothing else: with the same argument the same instructions in every run. Static, so that no
 * loader adds its own.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile unsigned long sum;

int main(int argc, char **argv)
{
	unsigned long turns = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000000;

	for (unsigned long i = 0; i < turns; i++)
		sum += i * i;
	for (unsigned long i = 0; i < turns / 100; i++)
		syscall(SYS_getppid);
	return 0;
}
