/* SPDX-License-Identifier: MIT */
/*
 * Call chains made while recording: samples come from the kernel with registers and a stack dump
 * (--call-graph dwarf), and go into the file with the call chain that is unwound from them. The
 * maps of processes come from the recording's own side-band records.
 *
 *   chains_init()          after the events were opened
 *   chains_see()           each side-band record, synthesized ones too; in any order, but before
 *                          the samples that need them
 *   chains_unwind()        a sample; the sample with its chain is appended to a buffer
 *
 * Samples come ring by ring, in no order of time: each is unwound in the maps of its own time.
 *
 * Its memory is bounded: when it grows too large, all that is known of processes is dropped, and
 * those that still run are read again from /proc.
 */
#ifndef CAPTURE_CHAINS_H
#define CAPTURE_CHAINS_H

#include "capture/rings/capture.h"
#include "capture/synth/synth.h"
#include "world/unwound.h"

/* Counts whether stack dumps of this size are too short. */
struct stack_watch {
	uint32_t size;
	uint64_t copies, ended; /* dumps of that size; those whose chain ended with the dump */
};

struct chains {
	struct measurement m;	    /* with the events as the kernel writes them */
	const struct event_set *events; /* as the file has them; by the same index */
	struct world *world;
	struct unwound unwound;
	const struct synth_options *synth;
	struct buf scratch, synthesized;
	/* side-band records younger than all samples so far: earlier ones may still come from
	 * another ring */
	struct buf early;
	VEC(struct chains_early {
		uint64_t time;
		size_t at;
	}) order;
	size_t settled; /* index in order: the records before it are part of the world */
	bool sorted;	/* order is sorted from settled on */
	struct idmap lived; /* processes whose birth or exec was seen: all their maps have times */
	bool one_ring; /* side-band records come in the samples' rings: no history of maps */
	struct stack_watch watch;   /* of events with unwind_auto */
	uint64_t samples;	    /* that were unwound */
	uint64_t ends[UNWIND_ENDS];
	struct buf given_up; /* lines about files, once it is released; the caller releases it */
};

/* Adds a dump: its bytes, its valid bytes, and whether the chain ended at its end. */
void stack_watch_add(struct stack_watch *w, uint64_t size, uint64_t valid, bool ended);
/* True when enough dumps were too short. */
bool stack_watch_short(const struct stack_watch *w);

/* True when an event's stack dumps are unwound here. */
bool chains_wanted(const struct event_set *events);
/* Takes the attributes that were opened, and their ids. synth must outlive it. */
void chains_init(struct chains *c, const struct capture *capture,
		 const struct synth_options *synth);
void chains_release(struct chains *c);
/* The number of chains that ended like that. */
static inline uint64_t chains_ended(const struct chains *c, enum unwind_end end)
{
	return c->ends[end] + c->unwound.ends[end];
}
void chains_see(struct chains *c, const uint8_t *record);
/* To be called at the end of a pass: drops the records that are part of the world, and bounds those
 * that wait. */
void chains_settle(struct chains *c);
/* As chains_see(), for n bytes of whole records. */
void chains_see_all(struct chains *c, const void *p, size_t n);
/* CAPTURE_TAKEN: out has the new sample. CAPTURE_KEEP: the sample is not to be unwound, and stays
 * as it is. CAPTURE_COLD: a file would have to be opened, but may_wait is false. */
enum capture_verdict chains_unwind(struct chains *c, const uint8_t *record, bool may_wait,
				   struct buf *out);

#endif
