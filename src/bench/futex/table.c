// SPDX-License-Identifier: MIT
/* The hash table that the kernel keeps for the private futexes of a process, since Linux 6.16. */
#include "bench/futex/futex_opts.h"

#include <sys/prctl.h>

/* linux/prctl.h of Linux 6.16 */
#define FUTEX_HASH	     78
#define FUTEX_HASH_SET_SLOTS 1
#define FUTEX_HASH_GET_SLOTS 2

int futex_prepare(const struct futex_opts *o, struct err *err)
{
	if (o->lock_memory && bench_lock_memory(err))
		return -1;
	if (!o->sets_buckets ||
	    !prctl(FUTEX_HASH, FUTEX_HASH_SET_SLOTS, (unsigned long)o->buckets, 0, 0))
		return 0;
	err_sys(err, errno, "cannot make a table of %u buckets for this process's futexes",
		o->buckets);
	return err_hint(err, "Linux since 6.16 does, of a power of two of buckets");
}

void futex_show_table(struct bench *b, const struct futex_opts *o)
{
	const int n = o->sets_buckets ? prctl(FUTEX_HASH, FUTEX_HASH_GET_SLOTS, 0, 0, 0) : -1;

	if (n > 0)
		buf_printf(b->text, "Futex hashing: %d hash buckets\n\n", n);
	else if (o->sets_buckets)
		buf_str(b->text, "Futex hashing: global hash\n\n");
}
