/* SPDX-License-Identifier: MIT */
/*
 * The stage: a thread that does nothing but empty a capture's rings into memory, before all others on
 * its CPU, so that whatever who takes the records waits for (a file met for the first time, a slow disk)
 * costs none. capture_open() starts it where that can happen; capture_pass() then takes from it.
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
	uint64_t pass;
	bool side;   /* of side-band rings */
	bool last;   /* of these, in its pass */
	bool end;    /* of its pass */
	bool whole;  /* with end: nothing was left in the rings */
	size_t n, room;
	uint8_t bytes[];
};

/* Starts emptying c's rings, whose descriptors c->ring_epoll waits for; c->epoll learns when there is
 * something to take. c->stage is set. */
int stage_start(struct capture *c, struct err *err);
/* Ends the thread. What waits is thrown away. */
void stage_stop(struct stage *s);
/* The next chunk, or NULL: there is none now. */
struct stage_chunk *stage_next(struct stage *s);
void stage_give_back(struct stage *s, struct stage_chunk *chunk);
/* Is there more to take? */
bool stage_waits(struct stage *s);
/* Has everything emptied at once. Returns the pass that does it. */
uint64_t stage_ask(struct stage *s);
/* Waits until there is a chunk, or that pass is over. False: it is over, and nothing is left of it. */
bool stage_wait(struct stage *s, uint64_t pass);
/* Copies of stacks that were shortened so far. */
uint64_t stage_cuts(const struct stage *s);
/* c->epoll: there is something. */
void stage_woken(struct stage *s);

#endif
