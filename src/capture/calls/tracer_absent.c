// SPDX-License-Identifier: MIT
/* The tracer of a perf that was built without BPF: it always fails. */
#include "capture/calls/tracer.h"

int tracer_run(const struct tracer_options *opts, const struct tracer_listener *to,
	       struct tracer_result *result, struct err *err)
{
	(void)opts;
	(void)to;
	(void)result;
	err_set(err, ERR_UNSUPPORTED, "system calls cannot be traced: perf is built without BPF");
	return err_hint(err, "'perf trace record COMMAND' records them by tracepoints, 'perf trace "
			     "-i perf.data' shows them.");
}
