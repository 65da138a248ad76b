/* SPDX-License-Identifier: MIT */
/* Private to wall/. */
#ifndef ANALYSIS_WALL_PRIVATE_H
#define ANALYSIS_WALL_PRIVATE_H

#include "analysis/wall/wall.h"
#include "analysis/wall/wall_stack.h"

/* Of a thread. */
struct wall_thread {
	struct thread *thread;
	enum wall_state state; /* since .since; WALL_NONE: not known yet */
	bool told;	       /* a side-band record or a clock sample spoke of it */
	bool ended;
	bool summed;	 /* there were sums of it */
	bool left_known; /* .left is where the thread left the CPU, not its last clock sample */
	uint64_t since;	 /* ns */
	uint64_t cpu_ns; /* on CPUs since the last clock sample, up to .since */
	uint64_t area;	 /* of wall.running, at .since */
	uint64_t cpu_area; /* of wall.running, that was added in .cpu_ns */
	uint64_t losses; /* of struct wall, when this state, or .cpu_ns, began */
	uint32_t waker, maker; /* values of COL_WAKER */
	uint32_t wakers;       /* of its last wake-up: a chain of waker_links */
	uint32_t waker_stacks; /* the same, with stacks */
	uint32_t reason;       /* of this wait: a value of COL_REASON */
	uint64_t woken_at;     /* ns: its last wake-up; 0: none */
	struct wall_turns turns; /* of tasks */
	uint64_t turn_losses;	/* of struct wall, when the last of them began or ended */
	struct wall_stack left, wakeup;
};

/* The threads on CPUs times the ns that they were so, up to that time. */
static inline uint64_t wall_running_area(const struct wall_running *r, uint64_t now)
{
	return r->area + (now > r->at ? (now - r->at) * r->n : 0);
}

/* From now on so many more threads are on CPUs. */
static inline void wall_running_add(struct wall_running *r, uint64_t now, int more)
{
	r->area = wall_running_area(r, now);
	r->at = MAX(r->at, now);
	r->n += (uint32_t)more;
}

/* How many threads were on CPUs on average, of an area that grew in that time; the thread itself is
 * one of them. */
static inline uint32_t wall_running_mean(uint64_t area, uint64_t ns, bool itself)
{
	const uint64_t mean = ns ? (area + ns / 2) / ns : 0;

	return (uint32_t)MAX(mean, (uint64_t)itself);
}

#endif
