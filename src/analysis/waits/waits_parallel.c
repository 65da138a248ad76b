// SPDX-License-Identifier: MIT
/* How many threads ran at a time. */
#include "analysis/waits/waits_private.h"

struct running_change {
	uint64_t time;
	bool begins;
};

/* By time. At equal times stops come before starts, so that the number of threads is not too high
 * for 0 ns. */
static int compare_changes(const void *a, const void *b)
{
	const struct running_change *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (int)x->begins - (int)y->begins;
}

static void running_add(struct waits *w, size_t n, uint64_t ns)
{
	if (!ns)
		return;
	if (n >= w->running.n)
		(void)vec_extend(&w->running, n + 1 - w->running.n);
	w->running.at[n] += ns;
}

void waits_count_running(struct waits *w)
{
	struct {
		VEC(struct running_change);
	} changes = {0};
	uint64_t since = w->wall.begin;
	size_t running = 0;

	for (size_t t = 0; t < w->threads.n; t++)
		for (size_t n = 0; n < w->threads.at[t].intervals.n; n++) {
			const struct waits_interval *i = &w->threads.at[t].intervals.at[n];

			if (i->state != WALL_ON_CPU)
				continue;
			vec_add(&changes, (struct running_change){i->from, true});
			vec_add(&changes, (struct running_change){i->to, false});
		}
	if (changes.n)
		qsort(changes.at, changes.n, sizeof(*changes.at), compare_changes);
	for (size_t i = 0; i < changes.n; i++) {
		running_add(w, running, changes.at[i].time - MIN(since, changes.at[i].time));
		since = changes.at[i].time;
		running += changes.at[i].begins ? 1 : running ? (size_t)-1 : 0;
	}
	running_add(w, running, w->wall.end - MIN(since, w->wall.end));
	vec_release(&changes);
}
