/* SPDX-License-Identifier: MIT */
/* The sources of waiting that --wall may name. Private to record_wall*.c. */
#ifndef CMD_RECORD_WALL_H
#define CMD_RECORD_WALL_H

#include "cmd/record/record_opts.h"

#include <string.h>

#define BPF_SOURCE	   "bpf"
#define TRACEPOINTS_SOURCE "tracepoints"
#define SWITCHES_SOURCE	   "switches"
#define SUMS_SOURCE	   "sums"

static inline bool wall_names(const struct record_opts *o, const char *source)
{
	return !strcmp(o->wall, source);
}

#endif
