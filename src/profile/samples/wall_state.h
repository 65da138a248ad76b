/* SPDX-License-Identifier: MIT */
/*
 * The state of a thread in the time that a sample of a wall-clock profile covers
 * (analysis/wall/wall.h): the values of COL_STATE. The values of COL_WAKER and COL_DELAY.
 */
#ifndef PROFILE_WALL_STATE_H
#define PROFILE_WALL_STATE_H

#include <stdbool.h>
#include <stdint.h>

enum wall_state {
	WALL_NONE,	/* the sample is of no wall-clock profile */
	WALL_ON_CPU,
	WALL_PREEMPTED, /* ready, not running: preempted */
	WALL_WOKEN,	/* ready, not running: woken up */
	WALL_NEW,	/* ready, not running: just forked */
	WALL_BLOCKED,
	WALL_STOPPED,	/* by a signal or a debugger */
	WALL_OFF_CPU,	/* blocked, then ready: not told apart without wakeups */
	WALL_UNKNOWN,	/* records were lost in this time */
	WALL_STATES
};

/* "on-cpu", "runnable", "blocked", "off-cpu", "unknown": several states may share a name. */
const char *wall_state_name(enum wall_state state);

/* A value of COL_WAKER is 1 + the index of the thread in the world, or one of these. */
#define WALL_NO_WAKER  0u
#define WALL_INTERRUPT UINT32_MAX /* a device or a timer, whichever thread it interrupted */
#define WALL_TIMER     (UINT32_MAX - 1) /* the wait's time was over, or a timer of the program */

static inline bool wall_waker_is_thread(uint32_t waker)
{
	return waker != WALL_NO_WAKER && waker < WALL_TIMER;
}

/* "[interrupt]" or "[timer]"; NULL: it is a thread, or not known. */
const char *wall_waker_name(uint32_t waker);

/* Whether the end of the program waited for the end of this wait (analysis/waits/waits.h). */
enum wall_delay {
	WALL_DELAY_NONE, /* the sample is of no wait, or it is not known */
	WALL_DELAY_NO,	 /* nothing was later for it: the wait of an idle worker */
	WALL_DELAY_YES,	 /* it is on the critical path */
};

#endif
