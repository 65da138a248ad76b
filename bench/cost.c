// SPDX-License-Identifier: MIT
/*
 * cost FILE COMMAND...: runs COMMAND and writes what it cost to FILE: wall seconds, CPU seconds (user +
 * system, of it and of its children that it waited for), the largest of their peak memories in MiB.
 * Small, because what is measured begins as its copy. Exits as COMMAND does.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	double start = now(), wall;
	struct rusage used;
	int status;
	pid_t pid;
	FILE *f;

	if (argc < 3)
		return 125;
	pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &used) != pid)
		return 125;
	wall = now() - start;
	f = fopen(argv[1], "w");
	if (!f)
		return 125;
	fprintf(f, "%.6f %.6f %.3f\n", wall, seconds(used.ru_utime) + seconds(used.ru_stime),
		(double)used.ru_maxrss / 1024);
	if (fclose(f))
		return 125;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
