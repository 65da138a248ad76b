// SPDX-License-Identifier: MIT
#include "os/process/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define GONE_MS 5000 /* the guarded process is waited for so long */

/* In the guard: waits for a byte (there is nothing to do any more) or for the end of the pipe. */
static void guard_wait(int pipe, pid_t guarded, bool apart, void (*act)(void *ctx), void *ctx)
{
	char byte;
	ssize_t n;

	/* a process in the background may set a terminal's modes only while it ignores SIGTTOU */
	signal(SIGTTOU, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	if (apart)
		setpgid(0, 0);
	do
		n = read(pipe, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n)
		_exit(0);
	/* it closes its other descriptors in any order, and is a parent until it has */
	for (int i = 0; i < GONE_MS && getppid() == guarded; i++)
		usleep(1000);
	act(ctx);
	_exit(0);
}

void guard_begin(struct guard *g, bool apart, void (*act)(void *ctx), void *ctx)
{
	const pid_t guarded = getpid();
	int ends[2];

	*g = (struct guard){.fd = -1};
	if (pipe2(ends, O_CLOEXEC))
		return;
	g->pid = fork();
	if (!g->pid) {
		close(ends[1]);
		guard_wait(ends[0], guarded, apart, act, ctx);
	}
	close(ends[0]);
	g->fd = ends[1];
	if (g->pid < 0) {
		close(g->fd);
		*g = (struct guard){.fd = -1};
	}
}

void guard_end(struct guard *g)
{
	if (!g->pid)
		return;
	while (write(g->fd, "", 1) < 0 && errno == EINTR)
		;
	close(g->fd);
	while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*g = (struct guard){.fd = -1};
}
