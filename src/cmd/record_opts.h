/* SPDX-License-Identifier: MIT */
/* record's options: as typed, and as the recorder takes them. */
#ifndef CMD_RECORD_OPTS_H
#define CMD_RECORD_OPTS_H

#include "capture/recorder.h"
#include "cmd/cmd.h"

struct record_opts {
	struct opt_strings events;
	struct target_options target;
	const char *output, *frequency;
	uint64_t period;
	bool callgraph, quiet, no_inherit;
	int verbose;
};

extern const struct opt_group record_opt_groups[];

/* argv holds the command to run, if any; it is not copied. 0, or -1 with *err. */
int record_plan(const struct record_opts *opts, const struct env *env, char **argv,
		struct recorder_options *out, struct event_set *events, struct err *err);

#endif
