/* SPDX-License-Identifier: MIT */
/*
 * The ledger of what cannot be vouched for: by kind, how often, how much, and where first.
 * Every reader and builder adds to the ledger of its measurement; every report shows its sum in one
 * line on stderr, and --strict turns it into exit status 3.
 */
#ifndef DATA_LOSSES_H
#define DATA_LOSSES_H

#include "base/buf.h"
#include "base/reasons.h"

#include <stdbool.h>
#include <stdint.h>

enum loss_kind {
	LOSS_EVENTS,	    /* the kernel's rings were full: LOST records, events */
	LOSS_SAMPLES,	    /* LOST_SAMPLES and PERF_FORMAT_LOST: samples */
	LOSS_THROTTLED,	    /* throttle records */
	LOSS_AUX,	    /* truncated AUX data */
	LOSS_CORRUPT,	    /* records that could not be decoded */
	LOSS_EMPTY,	    /* records too short for any content: nothing is missing */
	LOSS_SKIPPED_BYTES, /* damaged stretches passed over to find the next record: bytes */
	LOSS_CHECKSUM,	    /* chunks of data that are not what was written */
	LOSS_TRUNCATED,	    /* bytes that should follow and don't */
	LOSS_STREAM_CUT,   /* bytes of the record within which a pipe ended: it has no end mark, and
			    * whoever cuts it short may well mean to, so it is no damage */
	LOSS_UNFINISHED,   /* the recorder never finished the file (data size 0) */
	LOSS_UNKNOWN_TYPE, /* records of a type this program doesn't know */
	LOSS_UNKNOWN_FEATURE, /* header features that this program doesn't know */
	LOSS_UNKNOWN_EVENT,   /* records whose id belongs to no event */
	LOSS_FEATURE,	      /* header features that could not be read */
	LOSS_DECOMPRESS,      /* compressed chunks that could not be expanded */
	LOSS_EXPANDED,	      /* compressed chunks that hold more than compression explains */
	LOSS_ORDER,	      /* records that came after their time had been passed */
	LOSS_UNRESOLVED,      /* frames without a symbol (of LOSS base: all frames) */
	LOSS_UNWIND,	      /* stacks that could not be unwound to their end */
	LOSS_PROC_MAPS,	      /* processes whose maps could not be read in full */
	LOSS_CHAIN_CUT,	      /* call chains deeper than --max-stack: their outermost (or innermost)
				 frames are missing */
	LOSS_CHAIN_BARE, /* call chains by frame pointers that end at once, or lead to no code (of
			    LOSS base: chains) */
	LOSS_KINDS
};

struct losses {
	struct {
		uint64_t times;	 /* how many records or incidents */
		uint64_t amount; /* events, samples, bytes: what the kind counts */
		uint64_t offset; /* in the file, of the first */
	} kind[LOSS_KINDS];
	/* LOSS_SAMPLES are what the kernel counted for each event (PERF_FORMAT_LOST): what full
	 * rings said of themselves (LOSS_EVENTS) is among them, but for side-band records. */
	bool samples_counted;
	uint64_t frames; /* all frames seen, the base of LOSS_UNRESOLVED */
	uint64_t chains; /* call chains by frame pointers that were seen, the base of
			    LOSS_CHAIN_BARE */
	uint64_t nameless[NAMELESS_KINDS]; /* those of LOSS_UNRESOLVED by reason */
	uint64_t ends[UNWIND_ENDS]; /* of the stacks of LOSS_UNWIND, those of which it is known
				       where they end */
};

void losses_add(struct losses *l, enum loss_kind kind, uint64_t amount, uint64_t offset);
/* So many stacks ended there: LOSS_UNWIND, unless it was where the thread began. */
void losses_add_stacks(struct losses *l, enum unwind_end end, uint64_t n);
/* Frames with (NAMELESS_NOT) and without a name: LOSS_UNRESOLVED. */
void losses_add_frames(struct losses *l, const uint64_t frames[NAMELESS_KINDS]);
/* Adds what another ledger has, of a reader of a part. */
void losses_merge(struct losses *l, const struct losses *part);
/* So many of these call chains by frame pointers show no caller. */
void losses_add_bare(struct losses *l, uint64_t bare, uint64_t chains);
bool losses_any(
	const struct losses *l); /* anything but unresolved frames and chains without callers */
/* True when the structure of the file was damaged: the exit status then says so. */
bool losses_damage(const struct losses *l);
/* One line without a newline: "12 events lost, 3 damaged records, 4.1 % of frames have no name
 * (stripped files)". */
void losses_show(const struct losses *l, struct buf *out);

#endif
