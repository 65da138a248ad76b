// SPDX-License-Identifier: MIT
#include "profile/samples/wall_state.h"

#include <stddef.h>

const char *wall_state_name(enum wall_state state)
{
	static const char *const names[WALL_STATES] = {
		[WALL_NONE] = "-",	       [WALL_ON_CPU] = "on-cpu",
		[WALL_PREEMPTED] = "runnable", [WALL_WOKEN] = "runnable",
		[WALL_NEW] = "runnable",       [WALL_BLOCKED] = "blocked",
		[WALL_STOPPED] = "blocked",    [WALL_OFF_CPU] = "off-cpu",
		[WALL_UNKNOWN] = "unknown"};

	return names[state < WALL_STATES ? state : WALL_UNKNOWN];
}

const char *wall_waker_name(uint32_t waker)
{
	return waker == WALL_INTERRUPT ? "[interrupt]" : waker == WALL_TIMER ? "[timer]" : NULL;
}
