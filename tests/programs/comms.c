// SPDX-License-Identifier: MIT
/*
 * comms: one process that is "first" for a while, then "second", then has a child "third": names
 * that hold for a span of time, each with the same amount of work.
 */
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long sink;

void work(void)
{
	for (long i = 0; i < 60000000; i++)
		sink = sink * 2862933555777941757UL + 1;
}

int main(void)
{
	pid_t child;

	prctl(PR_SET_NAME, "first");
	work();
	prctl(PR_SET_NAME, "second");
	work();
	child = fork();
	if (child == 0) {
		prctl(PR_SET_NAME, "third");
		work();
		_exit(0);
	}
	return waitpid(child, NULL, 0) == child ? 0 : 1;
}
