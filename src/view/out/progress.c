// SPDX-License-Identifier: MIT
#include "view/out/out.h"

#include "base/monotonic.h"
#include "os/terminal.h"

#include <stdio.h>
#include <unistd.h>

#define SECOND 1000000000u

void out_progress_start(struct out *o, const char *what)
{
	o->progress = (struct progress){.what = what};
	if (terminal_is(STDERR_FILENO))
		o->progress.start_ns = o->progress.last_ns = monotonic_ns();
}

static void hide(struct progress *p)
{
	if (__atomic_exchange_n(&p->shown, false, __ATOMIC_RELAXED))
		fputs("\r\033[K", stderr);
}

void out_progress(struct out *o, double share, uint64_t bytes)
{
	struct progress *p = &o->progress;
	uint64_t now;

	if (!p->start_ns)
		return;
	if (share >= 1 || __atomic_load_n(&o->sent, __ATOMIC_RELAXED)) {
		hide(p);
		return;
	}
	now = monotonic_ns();
	if (now - p->start_ns < SECOND || now - p->last_ns < SECOND / 10)
		return;
	p->last_ns = now;
	if (share < 0)
		fprintf(stderr, "\r%s: %.1f MB\033[K", p->what, (double)bytes / 1e6);
	else
		fprintf(stderr, "\r%s: %3.0f%%\033[K", p->what, 100 * share);
	__atomic_store_n(&p->shown, true, __ATOMIC_RELAXED);
}

void out_progress_end(struct out *o)
{
	hide(&o->progress);
}
