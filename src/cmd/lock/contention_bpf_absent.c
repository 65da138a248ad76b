// SPDX-License-Identifier: MIT
/* Refuses -b: this perf was built without BPF. */
#include "cmd/lock/lock_opts.h"

int lock_table_measure(struct lock_table *t, const struct lock_opts *o, struct err *err)
{
	(void)t;
	(void)o;
	err_set(err, ERR_UNSUPPORTED, "-b is not possible: perf is built without BPF");
	return err_hint(err, "'perf lock record', then 'perf lock contention', go without");
}
