// SPDX-License-Identifier: MIT
#include "analysis/wall/wall_tasks.h"

#include <string.h>

/* Names say which pair only where there are several. */
static uint32_t task_value(const struct wall_tasks *tasks, struct intern *names,
			   const struct event_pair *p, uint64_t value)
{
	AUTO_BUF name = {0};

	if (names->entries.n >= WALL_TASKS_MAX)
		buf_str(&name, "(others)");
	else if (!p->field)
		buf_str(&name, p->begin);
	else if (tasks->pairs.n == 1)
		buf_printf(&name, "%llu", (unsigned long long)value);
	else
		buf_printf(&name, "%s %llu", p->begin, (unsigned long long)value);
	return intern_str(names, buf_text(&name)) + 1;
}

static void turns_begin(struct wall_turns *turns, uint32_t task)
{
	if (turns->n == WALL_TASKS_DEPTH)
		memmove(turns->open, turns->open + 1, --turns->n * sizeof(turns->open[0]));
	turns->open[turns->n++] = task;
}

/* Turns inside of one that ends have ended unseen. An end without a beginning says nothing. */
static void turns_end(struct wall_turns *turns, uint32_t task)
{
	for (uint32_t i = turns->n; i > 0; i--)
		if (turns->open[i - 1] == task) {
			turns->n = i - 1;
			return;
		}
}

void wall_turns_take(struct wall_turns *turns, const struct wall_tasks *tasks, struct intern *names,
		     const struct event *ev, uint64_t value)
{
	for (size_t i = 0; i < tasks->pairs.n; i++) {
		const struct event_pair *p = &tasks->pairs.at[i];

		if (ev == p->begin_event)
			turns_begin(turns, task_value(tasks, names, p, value));
		else if (ev == p->end_event)
			turns_end(turns, task_value(tasks, names, p, value));
	}
}

void wall_tasks_release(struct wall_tasks *tasks)
{
	vec_release(&tasks->pairs);
	arena_release(&tasks->arena);
}
