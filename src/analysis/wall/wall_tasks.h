/* SPDX-License-Identifier: MIT */
/*
 * Tasks of a runtime: which one a thread runs, by two events around its turn on the thread
 * (analysis/event_pair.h). Turns may lie in each other; the innermost counts.
 */
#ifndef ANALYSIS_WALL_TASKS_H
#define ANALYSIS_WALL_TASKS_H

#include "analysis/event_pair.h"
#include "base/hash.h"

/* More tasks than that share a name. */
#define WALL_TASKS_MAX	 4096
#define WALL_TASKS_DEPTH 8 /* turns in each other; the innermost ones are kept */

struct wall_tasks {
	struct event_pairs pairs;
	struct arena arena; /* what the pairs' strings are in */
};

/* The turns that a thread is in. All zero: none. */
struct wall_turns {
	uint32_t open[WALL_TASKS_DEPTH]; /* values of COL_TASK, the outermost first */
	uint32_t n;
};

/* The value of COL_TASK; 0: no task. */
static inline uint32_t wall_turns_task(const struct wall_turns *t)
{
	return t->n ? t->open[t->n - 1] : 0;
}

/* Notes that a turn begins or ends, by an event of a pair. names: of tasks, see struct samples. */
void wall_turns_take(struct wall_turns *turns, const struct wall_tasks *tasks,
		     struct intern *names, const struct event *ev, uint64_t value);
void wall_tasks_release(struct wall_tasks *tasks);

#endif
