/* SPDX-License-Identifier: MIT */
/* A sample that is kept until its time is over: what a thread's stack was when it left a CPU. */
#ifndef ANALYSIS_WALL_STACK_H
#define ANALYSIS_WALL_STACK_H

#include "base/buf.h"
#include "data/record/record.h"

/* All zero is valid: a stack that is not known. */
struct wall_stack {
	struct record r; /* header.type is 0 when there is none */
	struct buf bytes; /* what r points to */
};

/* Copies the sample's address, call chain, and dumps of registers and stack. Other parts that a
 * sample may point to are left out. */
void wall_stack_keep(struct wall_stack *s, const struct record *sample);
/* Drops n words of the chain after its first; the sample's address becomes the next word. */
void wall_stack_drop_frames(struct wall_stack *s, size_t n);
void wall_stack_forget(struct wall_stack *s);
void wall_stack_release(struct wall_stack *s);

#endif
