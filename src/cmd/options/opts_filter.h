/* SPDX-License-Identifier: MIT */
/* Options that select samples, shared by report, script and others. */
#ifndef CMD_OPTS_FILTER_H
#define CMD_OPTS_FILTER_H

#include "base/options/options.h"
#include "data/recording.h"
#include "world/filter.h"

struct filter_opts {
	const char *comms, *dsos, *symbols, *pids, *tids, *cpus, *time;
};

/* -c -S -C --pid --tid --time. --dsos is not among them: its short name differs between
 * commands. */
extern const struct opt filter_opts[];
/* Adds the parsed options to the filter f. --time is relative to the recording's times. 0, or -1
 * with *err. */
int filter_opts_apply(const struct filter_opts *o, const struct recording *rec, struct filter *f,
		      struct err *err);
/* For commands that show one part of the time: the times of --time. 0, or -1 with *err: they are
 * not, or several. */
int filter_opts_part(const char *time, const struct recording *rec, struct time_range *part,
		     struct err *err);

#endif
