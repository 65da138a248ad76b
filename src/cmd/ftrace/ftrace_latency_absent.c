// SPDX-License-Identifier: MIT
/* Refuses latency -b: this perf was built without BPF. */
#include "cmd/ftrace/ftrace_times.h"

int ftrace_latency_measure(struct ftrace_opts *o, struct functions_result *result, struct err *err)
{
	(void)o;
	(void)result;
	err_set(err, ERR_UNSUPPORTED, "-b is not possible: perf is built without BPF");
	return err_hint(err, "'perf ftrace latency -T' goes without");
}
