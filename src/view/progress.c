// SPDX-License-Identifier: MIT
#include "view/out.h"

#include "os/terminal.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000u

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

void progress_start(struct progress *p, const char *what)
{
	*p = (struct progress){.what = what};
	if (terminal_is(STDERR_FILENO))
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
	p->shown = false;
	p->start_ns = 0;
}
