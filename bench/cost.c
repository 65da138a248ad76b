// SPDX-License-Identifier: MIT
/*
 * cost FILE COMMAND...: runs COMMAND and writes what it cost to FILE: wall seconds, CPU seconds
 * (user + system, of it and of its children that it waited for), the largest of their peak memories
 * in MiB, and 1 when it was ended because it took longer than COST_SECONDS or more memory than
 * COST_MIB, else 0. Small, because what is measured begins as its copy. Exits as COMMAND does.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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

/* What the environment allows; 0: whatever it takes. */
static double limit(const char *name)
{
	const char *text = getenv(name);

	return text ? strtod(text, NULL) : 0;
}

static double resident_mib(pid_t pid)
{
	char path[64];
	double pages = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/statm", (int)pid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%*s %lf", &pages) != 1)
		pages = 0;
	fclose(f);
	return pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

/* Waits for the child, ten looks a second at what it takes. */
static int wait_for(pid_t pid, double start, struct rusage *used, int *ended)
{
	const struct timespec pause = {.tv_nsec = 100000000};
	double seconds_most = limit("COST_SECONDS"), mib_most = limit("COST_MIB");
	sigset_t child;
	int status;
	pid_t got;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	while (!(got = wait4(pid, &status, WNOHANG, used))) {
		if ((seconds_most && now() - start > seconds_most) ||
		    (mib_most && resident_mib(pid) > mib_most)) {
			*ended = 1;
			kill(pid, SIGKILL);
			got = wait4(pid, &status, 0, used);
			break;
		}
		sigtimedwait(&child, NULL, &pause);
	}
	return got == pid ? status : -1;
}

int main(int argc, char **argv)
{
	double start = now(), wall;
	int status, ended = 0;
	struct rusage used;
	sigset_t child;
	pid_t pid;
	FILE *f;

	if (argc < 3)
		return 125;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	pid = fork();
	if (pid == 0) {
		sigprocmask(SIG_UNBLOCK, &child, NULL);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0)
		return 125;
	status = wait_for(pid, start, &used, &ended);
	if (status < 0)
		return 125;
	wall = now() - start;
	f = fopen(argv[1], "w");
	if (!f)
		return 125;
	fprintf(f, "%.6f %.6f %.3f %d\n", wall, seconds(used.ru_utime) + seconds(used.ru_stime),
		(double)used.ru_maxrss / 1024, ended);
	if (fclose(f))
		return 125;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
