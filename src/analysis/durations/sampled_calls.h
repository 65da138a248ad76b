/* SPDX-License-Identifier: MIT */
/*
 * Durations of calls as a wall-clock recording shows them (analysis/wall/wall.h): no probes, so
 * nothing is known of single calls.
 *
 * A run is the time of a thread in which all known stacks hold the function. A call is never longer
 * than the run that it lies in and one clock period. Calls that follow each other closer than a
 * period are one run; a call that is shorter than a period and does not wait is seen by chance.
 */
#ifndef ANALYSIS_DURATIONS_SAMPLED_CALLS_H
#define ANALYSIS_DURATIONS_SAMPLED_CALLS_H

#include "analysis/durations/durations.h"

/* Fills d, which must be all zero, with the functions whose names one of the globs matches. 0, or
 * -1 with *err: the recording doesn't say when threads waited. */
int sampled_calls_read(struct durations *d, const char *globs, struct recording *rec,
		       struct world *world, struct err *err);

#endif
