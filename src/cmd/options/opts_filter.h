/* SPDX-License-Identifier: MIT */
/* Which samples are wanted: the options that report, script and others share. */
#ifndef CMD_OPTS_FILTER_H
#define CMD_OPTS_FILTER_H

#include "base/options.h"
#include "data/recording.h"
#include "world/filter.h"

struct filter_opts {
	const char *comms, *dsos, *symbols, *pids, *tids, *cpus, *time;
};

/* -c -S -C --pid --tid --time. What --dsos is called for short differs: each command has
 * its own. */
extern const struct opt filter_opts[];
/* What was typed becomes part of f; times refer to the recording's. 0, or -1 with *err. */
int filter_opts_apply(const struct filter_opts *o, const struct recording *rec, struct filter *f,
		      struct err *err);

#endif
