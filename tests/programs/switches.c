// SPDX-License-Identifier: MIT
/*
 * switches [TIMES [LOOPS]]: two processes on one CPU hand a byte to and fro through pipes (150000
 * times): each time costs two context switches, and nothing else, or LOOPS turns of an empty loop
 * before each switch.
 */
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(long loops)
{
	for (volatile long i = 0; i < loops; i++)
		;
}

int main(int argc, char **argv)
{
	long times = argc > 1 ? atol(argv[1]) : 150000;
	const long loops = argc > 2 ? atol(argv[2]) : 0;
	int there[2], back[2];
	cpu_set_t one;
	char c = 0;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	if (pipe(there) || pipe(back))
		return 1;
	if (!fork()) {
		while (times--) {
			work(loops);
			if (read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1)
				_exit(1);
		}
		_exit(0);
	}
	while (times--) {
		work(loops);
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			return 1;
	}
	wait(NULL);
	return 0;
}
