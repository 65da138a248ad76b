// SPDX-License-Identifier: MIT
/* Refuses -b: this perf was built without BPF. */
#include "cmd/kwork/kwork_opts.h"

static int kwork_measure_refuse(struct err *err)
{
	err_set(err, ERR_UNSUPPORTED, "-b is not possible: perf is built without BPF");
	return err_hint(err, "'perf kwork record', then 'perf kwork report', go without");
}

int kwork_measure(struct kwork *k, const struct kwork_opts *o, struct err *err)
{
	(void)k;
	(void)o;
	return kwork_measure_refuse(err);
}

int kwork_top_measure(struct kwork_top *t, const struct kwork_opts *o, struct err *err)
{
	(void)t;
	(void)o;
	return kwork_measure_refuse(err);
}
