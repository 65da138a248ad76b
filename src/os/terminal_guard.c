// SPDX-License-Identifier: MIT
#include "os/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the guard: waits for a byte (the terminal is back already) or for the end of the pipe. */
static void guard_wait(int pipe, int fd, const struct termios *before, const char *goodbye)
{
	char byte;
	ssize_t n;

	/* a process in the background may set modes only while it ignores SIGTTOU */
	signal(SIGTTOU, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	do
		n = read(pipe, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n)
		_exit(0);
	n = write(fd, goodbye, strlen(goodbye));
	tcsetattr(fd, TCSADRAIN, before);
	_exit(n < 0);
}

void terminal_guard_begin(struct terminal_guard *g, int fd, const struct termios *before,
			  const char *goodbye)
{
	int ends[2];

	*g = (struct terminal_guard){.fd = -1};
	if (!terminal_is(fd) || pipe2(ends, O_CLOEXEC))
		return;
	g->pid = fork();
	if (!g->pid) {
		close(ends[1]);
		guard_wait(ends[0], fd, before, goodbye);
	}
	close(ends[0]);
	g->fd = ends[1];
	if (g->pid < 0) {
		close(g->fd);
		*g = (struct terminal_guard){.fd = -1};
	}
}

void terminal_guard_end(struct terminal_guard *g)
{
	if (!g->pid)
		return;
	while (write(g->fd, "", 1) < 0 && errno == EINTR)
		;
	close(g->fd);
	while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*g = (struct terminal_guard){.fd = -1};
}
