// SPDX-License-Identifier: MIT
#include "view/out.h"
#include "base/mem.h"
#include "os/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void out_init(struct out *o, int fd)
{
	memset(o, 0, sizeof(*o));
	o->fd = fd;
	o->terminal = isatty(fd);
	o->colour = o->terminal;
	if (o->terminal)
		o->width = terminal_width(fd);
}

bool out_flush(struct out *o)
{
	size_t done = 0;

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
	if (!o->failed || o->failed == EPIPE)
		return 0;
	return err_sys(err, o->failed, "cannot write the output");
}

void out_release(struct out *o)
{
	buf_release(&o->buf);
}

void out_percent_colour(struct out *o, double percent)
{
	if (!o->colour)
		return;
	if (percent >= 5)
		buf_str(&o->buf, "\033[31m");
	else if (percent >= 0.5)
		buf_str(&o->buf, "\033[32m");
}

void out_normal(struct out *o)
{
	if (o->colour)
		buf_str(&o->buf, "\033[m");
}

struct pager {
	pid_t pid;
	struct out *out;
	int before; /* where the output went */
};

struct pager *pager_start(const char *pager, struct out *o)
{
	struct pager *p;
	int ends[2];
	pid_t pid;

	if (!pager || !*pager || !strcmp(pager, "cat") || !o->terminal || pipe(ends))
		return NULL;
	pid = fork();
	if (pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return NULL;
	}
	if (!pid) {
		dup2(ends[0], 0);
		close(ends[0]);
		close(ends[1]);
		setenv("LESS", "FRSX", 0);
		execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
		_exit(127);
	}
	close(ends[0]);
	p = NEW(struct pager);
	p->pid = pid;
	p->out = o;
	p->before = o->fd;
	o->fd = ends[1];
	return p;
}

void pager_end(struct pager *p)
{
	if (!p)
		return;
	close(p->out->fd);
	p->out->fd = p->before;
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		;
	free(p);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#define SECOND 1000000000u

void progress_start(struct progress *p, const char *what)
{
	*p = (struct progress){.what = what};
	if (isatty(2))
		p->start_ns = p->last_ns = now_ns();
}

void progress_update(struct progress *p, double done)
{
	uint64_t now;

	if (!p->start_ns)
		return;
	now = now_ns();
	if (now - p->start_ns < SECOND || now - p->last_ns < SECOND / 10)
		return;
	p->last_ns = now;
	p->shown = true;
	fprintf(stderr, "\r%s: %3.0f%%\033[K", p->what, 100 * done);
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->start_ns = 0;
}
