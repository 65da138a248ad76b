/* SPDX-License-Identifier: MIT */
/*
 * The spill thread empties a capture's rings into memory while the capture's user is busy: while
 * the callback that takes the records opens a file for the first time (CAPTURE_COLD), or while a
 * live source's user works on the records it has (capture_lend()). It copies at no other time,
 * since copying a stack dump costs several times what unwinding it in the ring does. capture_pass()
 * takes records from it, and stops it when it has caught up. The thread begins to copy when a ring
 * is half full. Most files are opened by then, and nothing is copied.
 *
 * The copies are bounded (SPILL_MOST, SPILL_MOST_SMALL). Before that bound is reached, dumps are
 * first cut (SPILL_CUT), then left out (SPILL_LEAVE_OUT). Samples are lost only when all is full,
 * and the kernel counts them.
 *
 * A pass comes in chunks: those of the side-band rings first, then the others.
 */
#ifndef CAPTURE_SPILL_H
#define CAPTURE_SPILL_H

#include "capture/rings/capture.h"

#define SPILL_CHUNK ((size_t)256 << 10) /* a power of two, larger than any record */
#define SPILL_MOST ((size_t)64 << 20) /* side-band records may take a quarter more */
/* Without stack dumps: 340,000 samples of tracepoints, which top works off in a fifth of a second.
 */
#define SPILL_MOST_SMALL ((size_t)32 << 20)
#define SPILL_LEAVE_OUT ((size_t)40 << 20)
#define SPILL_CUT ((size_t)24 << 20)

/* Records of one ring. */
struct spill_span {
	uint32_t slot, from, to;
};

struct spill_chunk {
	struct spill_chunk *next;
	VEC(struct spill_span) spans;
	bool side;   /* of side-band rings */
	bool last;   /* the last chunk of these in its pass */
	bool end;    /* of its pass */
	bool whole;  /* with end: nothing was left in the rings */
	uint64_t looked_ns; /* with end: when the pass began */
	size_t n, room;
	uint8_t bytes[];
};

/* Starts the thread, which waits for spill_begin(). NULL with *err. */
struct spill *spill_new(struct capture *c, struct err *err);
/* Ends the thread. Records that wait are thrown away. */
void spill_free(struct spill *s);
/* Lends the rings to the spill thread. */
void spill_begin(struct spill *s);
/* Takes the rings back. Waits for the end of a pass that has begun. False: chunks wait to be taken,
 * and the rings stay lent. */
bool spill_end(struct spill *s);
/* The next chunk, or NULL: there is none now. */
struct spill_chunk *spill_next(struct spill *s);
void spill_give_back(struct spill *s, struct spill_chunk *chunk);
/* The chunks that wait now, most of which may be small, and as many full ones as it may hold: what
 * a caller takes at most to have all that was sampled until now. */
size_t spill_chunks_due(struct spill *s);
/* Number of stack dumps that were shortened so far. */
uint64_t spill_cuts(const struct spill *s);

#endif
