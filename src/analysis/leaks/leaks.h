/* SPDX-License-Identifier: MIT */
/*
 * Allocations that were not freed, summed by allocator: bytes, count, the time of the oldest, and
 * the growth in each quarter of the time.
 */
#ifndef ANALYSIS_LEAKS_LEAKS_H
#define ANALYSIS_LEAKS_LEAKS_H

#include "base/hash.h"
#include "base/mem.h"

#define LEAK_QUARTERS 4

/* Allocations of one caller that were not freed. */
struct leak {
	uint32_t by;		       /* an id given by the user of leaks.h: of a call chain, a
					* stack */
	uint32_t kind;		       /* 0 or 1 */
	uint64_t bytes, count, oldest; /* oldest: ns, the time of its first allocation */
	uint64_t grown[LEAK_QUARTERS]; /* bytes, of each quarter of the time */
};

struct leak_live { /* what is not freed yet */
	uint64_t bytes, time;
	uint32_t by, kind;
	bool freed;
};

/* Zeroed, it is empty. */
struct leaks {
	VEC(struct leak) rows; /* after leaks_sum(): the greatest first */
	/* private */
	VEC(struct leak_live) live;
	struct idmap live_of, row_of[2];
};

/* Adds an allocation. key names the memory: an address or number below 2^62, or a hash when only
 * one kind is used. An earlier allocation with that key is taken as freed. */
void leaks_add(struct leaks *l, uint64_t key, uint32_t kind, uint32_t by, uint64_t bytes,
	       uint64_t time);
/* The bytes that were freed; 0: none were allocated there. */
uint64_t leaks_free(struct leaks *l, uint64_t key, uint32_t kind);
/* True when something is allocated there. */
bool leaks_has(const struct leaks *l, uint64_t key, uint32_t kind);
/* Makes the rows; first and last: ns, all times lie between them. */
void leaks_sum(struct leaks *l, uint64_t first, uint64_t last);
void leaks_release(struct leaks *l);

#endif
