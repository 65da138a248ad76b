/* SPDX-License-Identifier: MIT */
/*
 * The way up that the last sample of a thread went. The next one mostly shares its outer frames:
 * where it stands at the same address of the code with the same stack pointer, and the words of the
 * stack that the rest of the way depends on are what they were, the rest is the same, whatever the
 * rules say. Private to symbol/unwind.
 *
 * Few words are looked at: the return addresses, and saved registers only where some frame further
 * out is found by them. So are registers: a frame pointer in which a function keeps a number
 * doesn't matter.
 */
#ifndef SYMBOL_UNWIND_TRAIL_H
#define SYMBOL_UNWIND_TRAIL_H

#include "base/mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRAIL_BITS  9
#define TRAIL_MOST  256 /* frames, the outermost ones */
#define TRAIL_READS 8   /* of a step */

struct trail_regs {
	uint64_t ip, sp, fp, lr, kept;
};

/* Registers besides those two that decide where a frame is found. */
enum { TRAIL_FP = 1, TRAIL_KEPT = 2, TRAIL_LR = 4, TRAIL_ALL = 7 };

/* Where the caller's fp or kept come from. */
enum trail_from {
	TRAIL_SAME,  /* it is what it was */
	TRAIL_READ,  /* read from the stack */
	TRAIL_FIXED, /* it follows from the rest */
	TRAIL_GONE,  /* it lies where the copy has nothing, but another one may */
};

struct trail_read {
	uint64_t at, value; /* a word of the machine */
};

/* A step as it is made: from a frame to its caller. */
struct trail_step {
	struct trail_regs from;
	struct trail_read reads[TRAIL_READS];
	uint8_t of[TRAIL_READS]; /* the register that it restores alone: TRAIL_FP, TRAIL_KEPT; or 0
				  */
	uint8_t n;		 /* above TRAIL_READS: it cannot be kept */
	uint8_t uses;		 /* TRAIL_*: decide where the caller is */
	uint8_t fp, kept;	 /* enum trail_from */
	bool exact;
};

struct trail_frame {
	struct trail_regs regs;
	uint32_t reads; /* of its step and all further out: the first so many of the trail's */
	uint8_t needs;	/* TRAIL_* */
	bool exact;
};

struct trail {
	uint64_t thread;
	uint32_t space;
	bool whole; /* the step from the outermost frame found that there is no caller */
	VEC(struct trail_frame) frames; /* the outermost first, as words that are read */
	VEC(struct trail_read) reads;
};

/* Starts to note a step. */
static inline void trail_step_begin(struct trail_step *s, const struct trail_regs *from, bool exact)
{
	s->from = *from;
	s->n = s->uses = 0;
	s->fp = s->kept = TRAIL_SAME;
	s->exact = exact;
}

static inline void trail_step_read(struct trail_step *s, uint64_t at, uint64_t value, uint8_t of)
{
	if (s->n >= TRAIL_READS) {
		s->n = TRAIL_READS + 1;
		return;
	}
	s->of[s->n] = of;
	s->reads[s->n++] = (struct trail_read){at, value};
}

/* Is the trail's frame this one, as far as the way from there depends on it? */
static inline bool trail_meets(const struct trail_frame *f, const struct trail_regs *now,
			       bool exact)
{
	return f->regs.ip == now->ip && f->regs.sp == now->sp && f->exact == exact &&
	       (!f->needs || ((!(f->needs & TRAIL_FP) || f->regs.fp == now->fp) &&
			      (!(f->needs & TRAIL_KEPT) || f->regs.kept == now->kept) &&
			      (!(f->needs & TRAIL_LR) || f->regs.lr == now->lr)));
}

/* How many of the first n words that were read are not what they were, or not in the copy (size
 * bytes from start up): 0, or one more than the place of the innermost such. */
size_t trail_differs(const struct trail *t, size_t n, const uint8_t *stack, size_t size,
		     uint64_t start, unsigned int word);
/*
 * The trail becomes: the first `joined` of its frames, the n_outer steps that were made from the
 * outermost of them on (none, when it was whole), and inside of all that the n_inner steps that
 * were made before it was met. Steps are given in the order in which they were made. whole: the
 * last one of all found no caller.
 */
void trail_put(struct trail *t, size_t joined, const struct trail_step *outer, size_t n_outer,
	       const struct trail_step *inner, size_t n_inner, bool whole);
void trail_release(struct trail *t);

#endif
