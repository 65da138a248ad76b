/* SPDX-License-Identifier: MIT */
/*
 * Deferred call chains (Linux 6.19): a sample taken in the kernel ends its chain with
 * CONTEXT_USER_DEFERRED and a cookie; the user's part follows in a CALLCHAIN_DEFERRED record when the
 * thread returns to user space. A filter on a source that makes one chain of both.
 *
 *   deferred_next()  in source_next()'s place
 *
 * A sample that waits for its user part comes just before the record that has it, or when it is known
 * that there will be none: the thread returned with another cookie, or ended, or the recording does. It then
 * has its kernel part alone, and counts as LOSS_UNWIND. All other records come as the source gives them,
 * and where nothing is deferred that is all. What waits is bounded by DEFERRED_MOST samples.
 */
#ifndef DATA_DEFERRED_H
#define DATA_DEFERRED_H

#include "base/hash.h"
#include "data/recording.h"

#define DEFERRED_MOST 65536

struct deferred_sample {
	uint32_t tid;
	bool waits;
	uint64_t cookie, offset, seq;
	uint32_t part;
	struct buf bytes;
};

/* All zero is valid and empty. */
struct deferred {
	struct recording *rec;
	struct buf scratch;
	VEC(struct deferred_sample) samples; /* in the order in which they came */
	size_t first;			     /* none before it waits */
	size_t waiting;
	struct idmap tids;	  /* how many of a thread wait */
	VEC(uint64_t) user, words; /* the record's; a sample's with them */
	/* being delivered: the samples of a thread, or of all, from that one on; then the record */
	bool delivers, all;
	uint32_t tid;
	uint64_t cookie;
	size_t at;
	struct record after;
	bool has_after;
};

void deferred_init(struct deferred *d, struct recording *rec);
void deferred_release(struct deferred *d);
int deferred_next(struct deferred *d, struct source *src, struct record *r, struct err *err);

#endif
