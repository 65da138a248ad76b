/* SPDX-License-Identifier: MIT */
/*
 * The frames of a thread's last walk, with the rules that led out of them. Most frames of the
 * thread's next sample are equal: where a frame has the same address and the same stack pointer,
 * its rule is known without a lookup. The words of the stack are read anew in each walk. A rule
 * depends on the address alone, so a frame that the next walk does not meet does no harm. Private
 * to symbol/unwind.
 */
#ifndef SYMBOL_UNWIND_TRAIL_H
#define SYMBOL_UNWIND_TRAIL_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

#define TRAIL_BITS 9
#define TRAIL_MOST 256 /* frames */

struct trail_frame {
	uint64_t at; /* the address that the rule is for: inside of the call */
	uint64_t sp;
	uint32_t rule; /* a number of lookup.h */
};

struct trail {
	uint64_t thread;
	uint32_t space;
	uint32_t forgotten;		/* lookup.forgotten when the rules were numbered */
	VEC(struct trail_frame) frames; /* the outermost first */
};

/*
 * A walk beside the trail of its thread, from the innermost frame outwards. The walk has joined the
 * trail while its frames are the trail's: those stay where they are. Other frames are collected in
 * `inner` and replace the trail's inner frames at the end.
 */
struct trail_walk {
	struct trail *trail;
	VEC(struct trail_frame) inner; /* the innermost first */
	size_t joined; /* the walk met the trail's frames from this one (+ 1) on; 0: not joined */
	size_t next;   /* frames of the trail that lie further out; joined: frame `next` is met */
};

/* Starts a walk. Keeps the trail's frames when they are valid for this walk, else drops them. */
static inline void trail_walk_begin(struct trail_walk *w, struct trail *t, uint64_t thread,
				    uint32_t space, uint32_t forgotten)
{
	if (t->thread != thread || t->space != space || t->forgotten != forgotten) {
		t->thread = thread;
		t->space = space;
		t->forgotten = forgotten;
		t->frames.n = 0;
	}
	w->trail = t;
	w->inner.n = 0;
	w->joined = 0;
	w->next = t->frames.n;
}

/* Adds a frame that the trail does not have. Frames beyond TRAIL_MOST are left out. */
static inline void trail_walk_add(struct trail_walk *w, const struct trail_frame *f)
{
	if (w->inner.n < TRAIL_MOST)
		vec_add(&w->inner, *f);
}

/* The trail's frame with that address and stack pointer, or NULL. The frames of the trail that lie
 * further in are not found again. */
static inline const struct trail_frame *trail_walk_find(struct trail_walk *w, uint64_t at,
							uint64_t sp)
{
	const struct trail_frame *frames = w->trail->frames.at;

	while (w->next && frames[w->next - 1].sp < sp && !w->joined)
		w->next--;
	if (w->next && frames[w->next - 1].at == at && frames[w->next - 1].sp == sp) {
		w->joined = w->joined ? w->joined : w->next;
		return &frames[--w->next];
	}
	/* the walk leaves the trail: the frames that both have become the walk's */
	for (; w->joined > w->next; w->joined--)
		trail_walk_add(w, &frames[w->joined - 1]);
	w->joined = 0;
	return NULL;
}

/* Ends a walk: makes its frames the trail. A walk that ended on the trail leaves the frames further
 * out. forgotten: lookup.forgotten now. */
static inline void trail_walk_end(struct trail_walk *w, uint32_t forgotten)
{
	struct trail *t = w->trail;

	/* a lookup during the walk may have renumbered all rules */
	const bool valid = t->forgotten == forgotten;

	t->frames.n = valid ? w->joined : 0;
	for (size_t i = w->inner.n; valid && i && t->frames.n < TRAIL_MOST; i--)
		vec_add(&t->frames, w->inner.at[i - 1]);
}

#endif
