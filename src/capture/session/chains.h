/* SPDX-License-Identifier: MIT */
/*
 * Call chains made while recording: samples come out of the kernel with registers and a copy of the
 * stack (--call-graph dwarf), and go into the file with the chain that those tell, as if the kernel
 * had known it. What it needs to know of processes it learns from the same side-band records.
 *
 *   chains_init()          after the events were opened
 *   chains_see()           each side-band record, synthesized ones too; in any order, but before
 *                          the samples that need them
 *   chains_unwind()        a sample; what it became is appended to a buffer
 *
 * Samples come ring by ring, in no order of time: each is unwound in the maps of its own time.
 *
 * Its memory is bounded: what it knows of past processes is given up when that grows too large, and
 * what still runs is then read again from /proc.
 */
#ifndef CAPTURE_CHAINS_H
#define CAPTURE_CHAINS_H

#include "capture/rings/capture.h"
#include "capture/synth/synth.h"
#include "world/unwound.h"

/* Are copies of stacks of this size too short? */
struct stack_watch {
	uint32_t size;
	uint64_t copies, ended; /* of that size; chains that ended with them */
};

struct chains {
	struct measurement m;	    /* with the events as the kernel writes them */
	const struct event_set *events; /* as the file has them; by the same index */
	struct world *world;
	struct unwound unwound;
	const struct synth_options *synth;
	struct buf scratch, synthesized;
	/* side-band records that no sample has reached yet: another ring may still tell earlier
	 * ones */
	struct buf early;
	VEC(struct chains_early {
		uint64_t time;
		size_t at;
	}) order;
	size_t settled; /* of order: those before it are part of the world */
	bool sorted;	/* order, from there on */
	struct idmap lived; /* processes whose birth or exec was seen: all their maps have times */
	bool one_ring; /* side-band comes with the samples of its ring: only the present is known */
	struct stack_watch watch;   /* of events with unwind_auto */
	uint64_t samples;	    /* that were unwound */
	uint64_t ends[UNWIND_ENDS];
	struct buf given_up; /* lines about files, once it is released; the caller releases it */
};

/* A copy, what of it is valid, and whether a chain ended with it. */
void stack_watch_add(struct stack_watch *w, uint64_t size, uint64_t valid, bool ended);
/* Enough of them were too short. */
bool stack_watch_short(const struct stack_watch *w);

/* Is there an event whose stacks are unwound here? */
bool chains_wanted(const struct event_set *events);
/* Takes the attributes that were opened, and their ids. synth must outlive it. */
void chains_init(struct chains *c, const struct capture *capture,
		 const struct synth_options *synth);
void chains_release(struct chains *c);
/* How many chains ended like that. */
static inline uint64_t chains_ended(const struct chains *c, enum unwind_end end)
{
	return c->ends[end] + c->unwound.ends[end];
}
void chains_see(struct chains *c, const uint8_t *record);
/* At the end of a pass: doesn't keep more records waiting than is worth it. */
void chains_settle(struct chains *c);
/* n bytes of whole records. */
void chains_see_all(struct chains *c, const void *p, size_t n);
/* CAPTURE_KEEP: the sample is none of those, and stays as it is. CAPTURE_COLD: a file would have to
 * be opened, and it may not wait. */
enum capture_verdict chains_unwind(struct chains *c, const uint8_t *record, bool may_wait,
				   struct buf *out);

#endif
