/* SPDX-License-Identifier: MIT */
/*
 * Waits for locks of user space, from the system call futex: mutexes, condition variables,
 * barriers, semaphores and other uses by libraries.
 *
 * A lock is a process and an address. A wait lasts from the call to its return; one that returns
 * at once, because the lock's word had changed, is a retry. The thread that first wakes up waiters
 * of the lock after a wait began is its holder: for a mutex, the thread that held it when the wait
 * began.
 *
 * Who holds a mutex and waits for another one meanwhile has taken them in this order; this is known
 * of mutexes that threads wait for only.
 *
 * Source of the operations: <linux/futex.h>.
 */
#ifndef ANALYSIS_FUTEX_FUTEXES_H
#define ANALYSIS_FUTEX_FUTEXES_H

#include "analysis/futex/lock_order.h"
#include "analysis/waits/wait_stacks.h"
#include "world/replay/replay.h"

enum futex_kind { FUTEX_OTHER, FUTEX_MUTEX, FUTEX_PI_MUTEX, FUTEX_THREAD_END };

struct futex_lock {
	uint32_t pid;
	uint64_t address;
	enum futex_kind kind;
	const char *name; /* of the variable; NULL: not known */
	uint32_t waiting; /* private: threads that wait for it now */
	uint32_t ordered; /* private: 1 + its index in .order.locks; 0: not there */
};

/* Waits for one lock in one function of the program. */
struct futex_row {
	uint32_t lock;
	const char *comm, *function;	      /* that waited; function: NULL: not known */
	const char *holder, *holder_function; /* the last one; NULL: not known */
	bool holders;			      /* there were other holders, too */
	uint64_t n, retries, ns, max_ns;
};

/* A wait that had not ended when the recording did. */
struct futex_stuck {
	const struct thread *thread;
	uint32_t lock;
	uint64_t ns;
	const char *function;
};

struct futexes {
	/* after futexes_read() */
	VEC(struct futex_lock) locks;
	VEC(struct futex_row) rows; /* the longest sum first */
	VEC(struct futex_stuck) stuck;
	uint64_t waits, ns, calls; /* of all; calls of futex */
	uint64_t begin, end;	   /* ns: of the recording */
	uint64_t uncertain;	   /* waits in which records were lost */
	struct lock_order order;   /* of mutexes */
	/* private */
	struct wait_stacks stacks;
	struct idmap by_lock;
	struct idmap tids; /* pid << 32 | tid of threads that there are, or were */
	struct id_slots rows_by;
	struct idmap orders_by;
	struct arena arena;
	uint64_t losses;
};

/* 0, or -1 with *err. The world must outlive it; release it in both cases. */
int futexes_read(struct futexes *f, struct recording *rec, struct world *world, struct err *err);
void futexes_release(struct futexes *f);
/* "mutex", "thread's end", "futex" */
const char *futex_kind_name(enum futex_kind kind);

#endif
