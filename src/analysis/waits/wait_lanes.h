/* SPDX-License-Identifier: MIT */
/*
 * Lanes: what each thread of a wall-clock profile did, one span after the other, for views that
 * draw a time line.
 *
 *   wait_lanes_init(&l, &wall, world, measurement, filter)
 *   wall_read(&wall, ...)
 *   wait_lanes_end(&l)
 *   wait_lanes_release(&l)
 *
 * Memory follows the number of spans: one for each time that a thread ran or waited.
 */
#ifndef ANALYSIS_WAITS_WAIT_LANES_H
#define ANALYSIS_WAITS_WAIT_LANES_H

#include "analysis/waits/wait_stacks.h"
#include "analysis/wall/wall.h"
#include "world/filter.h"

struct wait_lane {
	uint32_t pid, tid;
	const char *comm; /* its last one */
	uint32_t index;	  /* of the thread in the world */
};

/* Neighbouring spans on a CPU are one. */
struct wait_span {
	uint64_t from, to; /* ns, as recorded */
	uint32_t lane;	   /* in .lanes */
	/* Of the wake-up that ended it, or of WALL_NEW the thread that made it: 1 + index in
	 * .lanes, or a value of COL_WAKER. A waker outside of the lanes is none. */
	uint32_t waker;
	enum wall_state state;
	const char *reason;   /* "futex", "preempted"; "-": not known or on a CPU */
	const char *function; /* that waits; NULL: not known */
};

struct wait_lanes {
	VEC(struct wait_lane) lanes;
	VEC(struct wait_span) spans; /* after wait_lanes_end(): by lane, then by time */
	/* private */
	const struct filter *filter;
	struct world *world;
	struct wait_stacks stacks;
	struct idmap by_thread; /* index in the world -> 1 + place in .lanes */
};

/* Sees what wall_read() reads from then on. filter: its times, processes and threads count; may be
 * NULL. The wall, the world and the filter must outlive it. */
void wait_lanes_init(struct wait_lanes *l, struct wall *of, struct world *world,
		     const struct measurement *m, const struct filter *filter);
/* Once, after all were added. */
void wait_lanes_end(struct wait_lanes *l);
void wait_lanes_release(struct wait_lanes *l);

#endif
