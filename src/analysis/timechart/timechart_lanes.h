/* SPDX-License-Identifier: MIT */
/*
 * Lanes of threads made of context switches: the tasks of a time chart in the form of the lanes of
 * a wall-clock profile.
 */
#ifndef ANALYSIS_TIMECHART_LANES_H
#define ANALYSIS_TIMECHART_LANES_H

#include "analysis/timechart/timechart.h"
#include "analysis/waits/wait_lanes.h"

/* Fills the empty *l with a lane for each task that ran. A time between two spans of a task is a
 * wait. world: tells the processes of threads. filter: its times, processes, threads and comms
 * count; may be NULL. Names are borrowed from the time chart, which must outlive *l. */
void timechart_lanes(struct wait_lanes *l, const struct timechart *t, struct world *world,
		     const struct filter *filter);

#endif
