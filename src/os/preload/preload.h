/* SPDX-License-Identifier: MIT */
/* Our library for programs that use locks (preload/locks.c), and the memory in which it counts. */
#ifndef OS_PRELOAD_H
#define OS_PRELOAD_H

#include "base/err.h"
#include "os/preload/lock_table.h"

/* All -1 or NULL: none. */
struct lock_preload {
	int library, memory; /* descriptors */
	struct lock_table *table;
};

/* Makes both, and sets the environment so that programs that are run from now on, and their
 * children, load the library. They find it as long as this process lives. 0, or -1 with *err;
 * release in both cases. */
int lock_preload_open(struct lock_preload *p, struct err *err);
void lock_preload_release(struct lock_preload *p);

#endif
