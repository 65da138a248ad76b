/* SPDX-License-Identifier: MIT */
/* Our libraries for programs (preload/), and the memory in which they count. */
#ifndef OS_PRELOAD_H
#define OS_PRELOAD_H

#include "base/err.h"
#include "os/preload/call_table.h"
#include "os/preload/lock_table.h"

enum preload_what { PRELOAD_LOCKS, PRELOAD_CALLS };

struct preload {
	enum preload_what what;
	int library, memory; /* descriptors; -1: none */
	void *table;	     /* a struct lock_table or struct call_table; NULL: none */
};

/* Makes both, and sets the environment so that programs that are run from now on, and their
 * children, load the library. They find it as long as this process lives. 0, or -1 with *err;
 * release in both cases. */
int preload_open(struct preload *p, enum preload_what what, struct err *err);
void preload_release(struct preload *p);

#endif
