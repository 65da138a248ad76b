/* SPDX-License-Identifier: MIT */
/*
 * The frames of a thread's last walk, with the rules that led out of them. Most frames of the
 * thread's next sample are equal: where a frame has the same address and the same stack pointer,
 * its rule is known without a lookup. The words of the stack are read anew in each walk. Private to
 * symbol/unwind.
 */
#ifndef SYMBOL_UNWIND_TRAIL_H
#define SYMBOL_UNWIND_TRAIL_H

#include "base/mem.h"

#include <stdint.h>

#define TRAIL_BITS 9
#define TRAIL_MOST 256 /* frames, the innermost ones */

struct trail_frame {
	uint64_t at; /* the address that the rule is for: inside of the call */
	uint64_t sp;
	uint32_t rule; /* a number of lookup.h */
};

struct trail {
	uint64_t thread;
	uint32_t space;
	uint32_t forgotten;		/* lookup.forgotten when the rules were numbered */
	VEC(struct trail_frame) frames; /* the innermost first */
};

/* Keeps the frames when they are valid for this walk, else drops all of them. */
static inline void trail_begin(struct trail *t, uint64_t thread, uint32_t space, uint32_t forgotten)
{
	if (t->thread == thread && t->space == space && t->forgotten == forgotten)
		return;
	t->thread = thread;
	t->space = space;
	t->forgotten = forgotten;
	t->frames.n = 0;
}

/* The frame with that address and stack pointer, or NULL. Ask from the innermost frame outwards:
 * *next (0 at first) skips the frames that lie further in. */
static inline const struct trail_frame *trail_find(const struct trail *t, uint64_t at, uint64_t sp,
						   size_t *next)
{
	const struct trail_frame *f;

	while (*next < t->frames.n && t->frames.at[*next].sp < sp)
		(*next)++;
	if (*next == t->frames.n)
		return NULL;
	f = &t->frames.at[*next];
	return f->at == at && f->sp == sp ? f : NULL;
}

/* Frames beyond TRAIL_MOST are left out. */
static inline void trail_add(struct trail *t, uint64_t at, uint64_t sp, uint32_t rule)
{
	if (t->frames.n < TRAIL_MOST)
		vec_add(&t->frames, (struct trail_frame){at, sp, rule});
}

#endif
