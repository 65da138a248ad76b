// SPDX-License-Identifier: MIT
#include "os/process/close_slowly.h"

#include "base/mem.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436 /* in headers since Linux 5.9; the same on every processor */
#endif

static int descriptor_order(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void close_between(int first, int last)
{
	if (first > last)
		return;
	/* close_range is Linux 5.9. */
	if (!syscall(SYS_close_range, (unsigned int)first, (unsigned int)last, 0))
		return;
	for (int fd = first; fd <= last; fd++)
		close(fd);
}

static _Noreturn void descriptors_keep_open(int *fds, size_t n, int wait_fd)
{
	sigset_t all;
	int before = -1;
	char c;

	/* A reader of our output must not wait for this process before it sees the end. */
	setsid();
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	qsort(fds, n, sizeof(*fds), descriptor_order);
	for (size_t i = 0; i < n; i++) {
		close_between(before + 1, fds[i] - 1);
		before = fds[i];
	}
	close_between(before + 1, before + 1024);
	while (read(wait_fd, &c, 1) > 0)
		;
	_exit(0);
}

int close_slowly(const int *fds, size_t n, int *hold)
{
	int ends[2], *kept;
	pid_t pid;

	*hold = -1;
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		close(ends[1]);
		kept = mem_alloc((n + 1) * sizeof(*kept));
		memcpy(kept, fds, n * sizeof(*kept));
		kept[n] = ends[0];
		/* Forks again: the new process is not our child, so nobody here has to wait for
		 * it. */
		pid = fork();
		if (pid)
			_exit(pid < 0);
		descriptors_keep_open(kept, n + 1, ends[0]);
	}
	close(ends[0]);
	if (pid > 0) {
		int status;

		if (waitpid(pid, &status, 0) == pid && !status) {
			*hold = ends[1];
			return 0;
		}
	}
	close(ends[1]);
	return -1;
}
