// SPDX-License-Identifier: MIT
/* Of a perf that was built without BPF. */
#include "cmd/kwork/kwork_opts.h"

int kwork_measure(struct kwork *k, const struct kwork_opts *o, struct err *err)
{
	(void)k;
	(void)o;
	err_set(err, ERR_UNSUPPORTED, "-b is not possible: perf is built without BPF");
	return err_hint(err, "'perf kwork record', then 'perf kwork report', go without");
}
