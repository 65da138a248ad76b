/* SPDX-License-Identifier: MIT */
/*
 * The ledger of lost and unreliable data: for each kind how often, how much, and the offset of the
 * first. Every reader and builder adds to the ledger of its measurement. Every report shows the
 * ledger in one line on stderr, and --strict turns it into exit status 3.
 */
#ifndef DATA_LOSSES_H
#define DATA_LOSSES_H

#include "base/buf.h"
#include "base/reasons.h"

#include <stdbool.h>
#include <stdint.h>

enum loss_kind {
	LOSS_EVENTS,	    /* events of LOST records: the kernel's rings were full */
	LOSS_SAMPLES,	    /* LOST_SAMPLES and PERF_FORMAT_LOST: samples */
	LOSS_THROTTLED,	    /* throttle records */
	LOSS_AUX,	    /* truncated AUX data */
	LOSS_CORRUPT,	    /* records that could not be decoded */
	LOSS_EMPTY,	    /* records too short for any content: nothing is missing */
	LOSS_SKIPPED_BYTES, /* damaged stretches passed over to find the next record: bytes */
	LOSS_CHECKSUM,	    /* chunks of data whose checksum is wrong */
	LOSS_TRUNCATED,	    /* bytes that the file should have and lacks */
	LOSS_STREAM_CUT,    /* bytes of the record within which a pipe ended. No damage: a pipe has
			     * no end mark, and may be cut short on purpose */
	LOSS_UNFINISHED,    /* the recorder never finished the file (data size 0) */
	LOSS_UNKNOWN_TYPE,  /* records of a type this program doesn't know */
	LOSS_UNKNOWN_FEATURE, /* header features that this program doesn't know */
	LOSS_UNKNOWN_EVENT,   /* records whose id belongs to no event */
	LOSS_FEATURE,	      /* header features that could not be read */
	LOSS_DECOMPRESS,      /* compressed chunks that could not be expanded */
	LOSS_EXPANDED,	      /* compressed chunks that hold more than compression explains */
	LOSS_ORDER,	      /* records that came after later ones had been delivered */
	LOSS_UNRESOLVED,      /* frames without a symbol; shown as a share of .frames */
	LOSS_UNWIND,	      /* stacks that could not be unwound to their end */
	LOSS_PROC_MAPS,	      /* processes whose maps could not be read in full */
	LOSS_CHAIN_CUT,	      /* call chains deeper than --max-stack: their outermost (or innermost)
				 frames are missing */
	LOSS_CHAIN_BARE,      /* call chains by frame pointers that end at once, or lead to no code;
			       * shown as a share of .chains */
	LOSS_KINDS
};

struct losses {
	struct {
		uint64_t times;	 /* how many records or incidents */
		uint64_t amount; /* events, samples, bytes: what the kind counts */
		uint64_t offset; /* in the file, of the first */
	} kind[LOSS_KINDS];
	/* LOSS_SAMPLES comes from the kernel's count for each event (PERF_FORMAT_LOST). It then
	 * includes the losses of LOST records (LOSS_EVENTS), except side-band records. */
	bool samples_counted;
	uint64_t frames; /* all frames seen, the base of LOSS_UNRESOLVED */
	uint64_t chains; /* call chains by frame pointers that were seen, the base of
			    LOSS_CHAIN_BARE */
	uint64_t nameless[NAMELESS_KINDS]; /* the frames of LOSS_UNRESOLVED by reason */
	uint64_t ends[UNWIND_ENDS]; /* the stacks of LOSS_UNWIND by their end, as far as known */
};

void losses_add(struct losses *l, enum loss_kind kind, uint64_t amount, uint64_t offset);
/* Adds n stacks that ended there: to LOSS_UNWIND, unless end is UNWIND_OUTERMOST. */
void losses_add_stacks(struct losses *l, enum unwind_end end, uint64_t n);
/* Adds numbers of frames with a name (NAMELESS_NOT) and without one (by reason): the latter to
 * LOSS_UNRESOLVED. */
void losses_add_frames(struct losses *l, const uint64_t frames[NAMELESS_KINDS]);
/* Adds another ledger, that of a reader of a part. */
void losses_merge(struct losses *l, const struct losses *part);
/* Adds call chains by frame pointers, of which bare ones show no caller. */
void losses_add_bare(struct losses *l, uint64_t bare, uint64_t chains);
bool losses_any(
	const struct losses *l); /* anything but unresolved frames and chains without callers */
/* True when records are missing that an analysis would have read, or came too late for it. */
bool losses_records(const struct losses *l);
/* True when the structure of the file was damaged: the exit status then says so. */
bool losses_damage(const struct losses *l);
/* One line without a newline: "12 events lost, 3 damaged records, 4.1 % of frames have no name
 * (stripped files)". */
void losses_show(const struct losses *l, struct buf *out);

#endif
