/* SPDX-License-Identifier: MIT */
/*
 * Counts: what the counters of an event_set hold at one moment, one value for each event, CPU and
 * thread. They are read from the kernel (capture/count/count.h) or taken from a recording's STAT
 * records; analysis/stat.h does not tell the two apart.
 *
 * Values are cumulative since the counters were opened or last reset. A struct counts owns its
 * memory. counts_copy copies one, counts_subtract makes the difference of two.
 */
#ifndef DATA_COUNTS_H
#define DATA_COUNTS_H

#include "base/mem.h"
#include "event/event.h"

#include <stdbool.h>
#include <stdint.h>

struct count {
	uint64_t value;
	uint64_t enabled, running; /* ns; running < enabled: the event shared its hardware */
};

/* Why an event has no counter. */
enum count_state {
	COUNT_OPEN,	     /* it has at least one counter */
	COUNT_NOT_SUPPORTED, /* this machine has no such event */
	COUNT_FAILED,	     /* it could not be opened; the user was told */
};

struct event_counts {
	enum count_state state;
	VEC(int) cpus;	    /* rows: CPU numbers in ascending order; one -1 when not bound to any */
	VEC(struct count) at; /* [row * threads + thread]; empty unless COUNT_OPEN */
};

struct counts {
	/* Columns: the threads. One with tid -1 when the counters are not bound to tasks. */
	VEC(struct count_thread {
		int tid;
		char comm[16];
	}) threads;
	VEC(struct event_counts) events; /* by index in the set */
};

void counts_release(struct counts *c);
/* Makes dst equal to src; reuses dst's memory. */
void counts_copy(struct counts *dst, const struct counts *src);
/* Subtracts b from a, cell by cell; both come from the same counters. A difference below 0 becomes
 * 0. */
void counts_subtract(struct counts *a, const struct counts *b);
/* Makes the cells of an event, all zero, and its state COUNT_OPEN: one cell for each of the CPUs
 * (in ascending order, each once) and each thread (which must be known). Events with a lower index
 * that have no cells yet become COUNT_NOT_SUPPORTED. */
void counts_shape(struct counts *c, uint32_t event, const int *cpus, size_t n_cpus);
/* NULL when there is no such cell. */
struct count *counts_at(struct counts *c, uint32_t event, int cpu, uint32_t thread);

#endif
