// SPDX-License-Identifier: MIT
#include "view/out.h"

#include "base/mem.h"
#include "os/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

void out_init(struct out *o, int fd)
{
	const char *term = getenv("TERM");

	*o = (struct out){.fd = fd, .error_fd = -1, .terminal = terminal_is(fd)};
	o->colour = o->terminal && term && strcmp(term, "dumb");
	if (o->terminal)
		o->width = terminal_width(fd);
}

void out_page(struct out *o, const char *pager)
{
	if (o->terminal && !o->pager_pid)
		o->pager = pager && *pager && strcmp(pager, "cat") ? pager : NULL;
}

static void start_pager(struct out *o)
{
	int fd;
	pid_t pid = reader_exists(o->pager) ? reader_start(o->pager, &fd) : -1;

	if (pid < 0) {
		/* plain output is better than none */
		dprintf(STDERR_FILENO, "cannot start the pager '%s'\n", o->pager);
		o->pager = NULL;
		return;
	}
	o->fd = fd;
	o->pager_pid = pid;
	/* Two writers would spoil the pager's screen. */
	if (!o->errors_apart && terminal_is(STDERR_FILENO)) {
		o->error_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
		if (o->error_fd >= 0)
			dup2(fd, STDERR_FILENO);
	}
	/* ^C belongs to the pager: we end when it does. */
	signal(SIGINT, SIG_IGN);
}

static void end_pager(struct out *o)
{
	if (!o->pager_pid)
		return;
	if (o->error_fd >= 0) {
		dup2(o->error_fd, STDERR_FILENO);
		close(o->error_fd);
		o->error_fd = -1;
	}
	close(o->fd);
	o->fd = STDOUT_FILENO;
	reader_wait(o->pager_pid);
	o->pager_pid = 0;
	o->pager = NULL;
}

bool out_flush(struct out *o)
{
	size_t done = 0;

	if (o->pager && !o->pager_pid && o->buf.n)
		start_pager(o);
	while (!o->failed && done < o->buf.n) {
		ssize_t n = write(o->fd, o->buf.at + done, o->buf.n - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			o->failed = errno;
	}
	buf_clear(&o->buf);
	return !o->failed;
}

int out_end(struct out *o, struct err *err)
{
	out_flush(o);
	end_pager(o);
	if (!o->failed || o->failed == EPIPE)
		return 0;
	err_sys(err, o->failed, "cannot write the output");
	o->failed = EPIPE; /* said once; nothing more is written */
	return -1;
}

void out_release(struct out *o)
{
	end_pager(o);
	buf_release(&o->buf);
}

void out_percent_colour(struct out *o, double percent)
{
	double size = percent < 0 ? -percent : percent;

	if (!o->colour)
		return;
	o->coloured = size > 0.5;
	if (o->coloured)
		buf_str(&o->buf, size >= 5 ? "\033[31m" : "\033[32m");
}

void out_normal(struct out *o)
{
	if (o->coloured)
		buf_str(&o->buf, "\033[m");
	o->coloured = false;
}
