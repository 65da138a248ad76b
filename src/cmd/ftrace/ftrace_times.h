/* SPDX-License-Identifier: MIT */
/* perf ftrace latency and profile: how long functions take. */
#ifndef CMD_FTRACE_TIMES_H
#define CMD_FTRACE_TIMES_H

#include "cmd/ftrace/ftrace_opts.h"

/* Each ends as a command does: an exit status, or -1 with *err. */
int ftrace_latency(struct env *env, struct ftrace_opts *o, char **argv, struct err *err);
int ftrace_profile(struct env *env, struct ftrace_opts *o, char **argv, struct err *err);

/* Counts latencies by BPF programs (-b) in o->buckets: of a function, or between o->events. 0, or
 * -1 with *err. */
int ftrace_latency_measure(struct ftrace_opts *o, struct functions_result *result, struct err *err);

/* Says how many events were lost and why. Dies of the signal that ended the trace, or returns the
 * command's status; when that is 0, one that says of losses. */
#define FTRACE_LOST                                                                                \
	"events were lost: they came faster than they were read (-m 64M gives each CPU more "      \
	"room, -T and -G trace less)"
int ftrace_leave(struct env *env, const struct functions_result *r, const char *lost, bool command);

#endif
