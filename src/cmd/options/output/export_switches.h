/* SPDX-License-Identifier: MIT */
/* Lanes of threads made of a recording's context switches, for exporters that show them. */
#ifndef CMD_EXPORT_SWITCHES_H
#define CMD_EXPORT_SWITCHES_H

#include "analysis/timechart/timechart_lanes.h"
#include "profile/samples/samples.h"

/* All zero is valid and empty. */
struct export_switches {
	struct wait_lanes lanes;
	struct timechart timechart; /* that names of .lanes are borrowed from */
	struct timechart_options options;
	struct world *world;
};

/* True when the recording has sched:sched_switch, but a frequency or a period left some out. */
bool export_switches_sampled(const struct recording *rec);
/* Reads the recording once more when it holds each sched:sched_switch; else, and of a pipe, *s
 * stays empty. filter may be NULL. 0, or -1 with *err. */
int export_switches_read(struct export_switches *s, struct recording *rec,
			 const struct samples *samples, const struct filter *filter,
			 struct err *err);
void export_switches_release(struct export_switches *s);

#endif
