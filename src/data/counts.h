/* SPDX-License-Identifier: MIT */
/*
 * Counts: what the counters of an event_set hold at one moment, one value for each event, CPU and
 * thread. Read from the kernel (capture/count/count.h) or taken from a recording's STAT records;
 * the same to whoever sums them up (analysis/stat.h).
 *
 * Values are cumulative since the counters were opened or last reset. A count owns its memory;
 * counts_copy makes another, counts_subtract what lies between two.
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
	COUNT_OPEN,	     /* it has at least one */
	COUNT_NOT_SUPPORTED, /* this machine has no such event */
	COUNT_FAILED,	     /* it could not be opened; the user was told */
};

struct event_counts {
	enum count_state state;
	VEC(int) cpus;	    /* rows: CPU numbers in ascending order; one -1 when not bound to any */
	VEC(struct count) at; /* [row * threads + thread]; empty unless COUNT_OPEN */
};

struct counts {
	/* Columns: what is measured. One tid -1 when not bound to tasks. */
	VEC(struct count_thread {
		int tid;
		char comm[16];
	}) threads;
	VEC(struct event_counts) events; /* by index in the set */
};

void counts_release(struct counts *c);
/* dst becomes as src is (its memory is used again). */
void counts_copy(struct counts *dst, const struct counts *src);
/* a - b, cell by cell, into a; both come from the same counters. What would be below 0
 * becomes 0. */
void counts_subtract(struct counts *a, const struct counts *b);
/* Makes the cells of an event: its CPUs, in ascending order and each once, x the threads (which
 * must be known), all zero, COUNT_OPEN. Events before it that have none yet are not supported. */
void counts_shape(struct counts *c, uint32_t event, const int *cpus, size_t n_cpus);
/* NULL when there is no such cell. */
struct count *counts_at(struct counts *c, uint32_t event, int cpu, uint32_t thread);

#endif
