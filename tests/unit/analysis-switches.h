/* SPDX-License-Identifier: MIT */
/*
 * An analysis on replay, as small as they come: how often each thread was switched away from, and
 * how long it was off the CPU until it ran again. doc/how-to-add-an-analysis.md walks through it.
 */
#ifndef TESTS_UNIT_ANALYSIS_SWITCHES_H
#define TESTS_UNIT_ANALYSIS_SWITCHES_H

#include "world/replay/replay.h"

struct switches_thread { /* of each thread */
	uint64_t switches, off_ns,
		off_since; /* off_since: 0 while it runs, or is not known to wait */
	bool uncertain;	   /* records were lost while it waited */
};

struct switch_args {
	int64_t prev_pid, next_pid;
};

static const struct replay_field switch_fields[] = {
	{"prev_pid", REPLAY_S64, offsetof(struct switch_args, prev_pid)},
	{"next_pid", REPLAY_S64, offsetof(struct switch_args, next_pid)},
	{0},
};

static struct switches_thread *switches_of(struct replay *rp, int64_t tid)
{
	return replay_task_state(rp, (uint32_t)-1, (uint32_t)tid);
}

static int switches_take(struct replay *rp, const struct record *r, const void *v)
{
	const struct switch_args *args = v;
	struct switches_thread *prev = switches_of(rp, args->prev_pid),
			       *next = switches_of(rp, args->next_pid);

	(void)r;
	prev->switches++;
	prev->off_since = rp->time;
	if (next->off_since)
		next->off_ns += rp->time - next->off_since;
	next->off_since = 0;
	return REPLAY_GO;
}

static void switches_lost(struct replay *rp, const struct replay_loss *loss)
{
	void *const *at;

	(void)loss;
	for (size_t i = 0, n = replay_thread_states(rp, &at); i < n; i++)
		if (at[i] && ((struct switches_thread *)at[i])->off_since)
			((struct switches_thread *)at[i])->uncertain = true;
}

static const struct replay_tracepoint switches_tracepoints[] = {
	{"sched:sched_switch", switch_fields, sizeof(struct switch_args), switches_take,
	 .brief = true},
	{0},
};

static const struct replay_analysis switches_analysis = {
	.tracepoints = switches_tracepoints,
	.lost = switches_lost,
	.thread = {.size = sizeof(struct switches_thread), .keep = true},
};

#endif
