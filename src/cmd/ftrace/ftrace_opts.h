/* SPDX-License-Identifier: MIT */
/* perf ftrace's options as typed. */
#ifndef CMD_FTRACE_OPTS_H
#define CMD_FTRACE_OPTS_H

#include "analysis/functions/buckets.h"
#include "capture/functions/functions.h"
#include "cmd/cmd.h"

struct ftrace_opts {
	struct functions_options functions; /* .tracer: -t, or NULL */
	const char *list;		    /* -F; NULL: not given */
	const char *sort;		    /* profile */
	uint64_t buffer_bytes;
	/* latency */
	struct duration_buckets buckets;
	bool hide_empty, bpf;
	const char *events; /* -e: two names; NULL: not given */
	char *event_first, *event_second;
	int verbose;
};

extern const struct opt_group ftrace_trace_groups[], ftrace_latency_groups[],
	ftrace_profile_groups[];
void ftrace_defaults(void *opts, const struct env *env);

#endif
