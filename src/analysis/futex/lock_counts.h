/* SPDX-License-Identifier: MIT */
/* The use of locks by programs, as counted in them by preload/locks.c. */
#ifndef ANALYSIS_FUTEX_LOCK_COUNTS_H
#define ANALYSIS_FUTEX_LOCK_COUNTS_H

#include "analysis/futex/lock_order.h"
#include "base/mem.h"
#include "os/preload/lock_table.h"
#include "symbol/dso.h"

/* A lock that is taken in a function. */
struct lock_count {
	uint32_t pid;
	uint64_t address;
	enum lock_table_kind kind;
	const char *lock;     /* the variable; NULL: it is in none that has a name */
	const char *function; /* NULL: not known */
	uint64_t taken, waits, wait_ns, max_wait_ns;
	uint64_t holds, hold_ns, max_hold_ns; /* without shared holds (of readers) */
	const char *waiter;		      /* of the longest wait, as the next two */
	const char *holder, *holder_function; /* NULL: not known */
};

/* How often it was taken at once. */
static inline uint64_t lock_count_uncontended(const struct lock_count *c)
{
	return c->taken > c->waits ? c->taken - c->waits : 0;
}

struct lock_counts {
	/* after lock_counts_read() */
	VEC(struct lock_count) rows; /* the longest waiting first */
	uint64_t locks, taken, waits, wait_ns;
	uint64_t processes; /* that counted */
	uint64_t left_out;  /* uses not counted because the table was full */
	struct lock_order order;
	/* private */
	struct arena arena;
};

/* The symbols' set must outlive it. Release it. */
void lock_counts_read(struct lock_counts *c, const struct lock_table *table, struct dso_set *dsos);
void lock_counts_release(struct lock_counts *c);
const char *lock_count_kind_name(enum lock_table_kind kind);

#endif
