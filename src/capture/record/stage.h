/* SPDX-License-Identifier: MIT */
/*
 * The stage: a thread that empties a capture's rings into memory while who takes the records waits for
 * something: a file that is opened for the first time. At no other time, for a copy of a stack costs
 * several times what unwinding it in the ring does. capture_pass() calls it in when its taker says
 * CAPTURE_COLD, takes from it, and sends it away when it has caught up. The thread begins when a ring is
 * half full: most files are opened before, and then nothing is copied.
 *
 * What waits there is bounded (STAGE_MOST). Before that, copies of stacks are cut, then left out;
 * samples are lost only when all is full, and the kernel counts them.
 *
 * A pass comes in chunks: first those of the side-band rings, then those of the others.
 */
#ifndef CAPTURE_STAGE_H
#define CAPTURE_STAGE_H

#include "capture/capture.h"

#define STAGE_CHUNK ((size_t)256 << 10) /* a power of two, larger than any record */
#define STAGE_MOST	((size_t)64 << 20) /* side-band records may take a quarter more */
#define STAGE_LEAVE_OUT ((size_t)40 << 20)
#define STAGE_CUT	((size_t)24 << 20)

/* Records of one ring. */
struct stage_span {
	uint32_t slot, from, to;
};

struct stage_chunk {
	struct stage_chunk *next;
	VEC(struct stage_span) spans;
	bool side;   /* of side-band rings */
	bool last;   /* of these, in its pass */
	bool end;    /* of its pass */
	bool whole;  /* with end: nothing was left in the rings */
	uint64_t looked_ns; /* with end: when the pass began */
	size_t n, room;
	uint8_t bytes[];
};

/* Makes the thread, which waits. NULL with *err. */
struct stage *stage_new(struct capture *c, struct err *err);
/* Ends the thread. What waits is thrown away. */
void stage_free(struct stage *s);
/* From now on the rings are the stage's. */
void stage_begin(struct stage *s);
/* They are the caller's again, after at least one pass, unless none was begun. False: there is something to take,
 * and they are not. */
bool stage_end(struct stage *s);
/* The next chunk, or NULL: there is none now. */
struct stage_chunk *stage_next(struct stage *s);
void stage_give_back(struct stage *s, struct stage_chunk *chunk);
/* Copies of stacks that were shortened so far. */
uint64_t stage_cuts(const struct stage *s);

#endif
