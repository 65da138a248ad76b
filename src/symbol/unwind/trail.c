// SPDX-License-Identifier: MIT
#include "symbol/unwind/trail.h"

#include <string.h>

size_t trail_differs(const struct trail *t, size_t n, const uint8_t *stack, size_t size,
		     uint64_t start, unsigned int word)
{
	while (n) {
		const struct trail_read *r = &t->reads.at[n - 1];
		const uint64_t at = r->at - start;
		uint64_t v = 0;

		if (at >= size || word > size - at)
			return n;
		if (word == 8)
			memcpy(&v, stack + at, 8);
		else
			memcpy(&v, stack + at, word);
		if (v != r->value)
			return n;
		n--;
	}
	return 0;
}

/* What a register is needed for further out, it is needed for here, unless it comes from somewhere
 * else. */
static bool hand_down(uint8_t needed, uint8_t bit, uint8_t from, uint8_t *needs)
{
	if (!(needed & bit))
		return true;
	if (from == TRAIL_SAME)
		*needs |= bit;
	return from != TRAIL_GONE;
}

/* A step inside of all that are there. False: it, and what is inside of it, cannot be kept. */
static bool trail_push(struct trail *t, const struct trail_step *s)
{
	const uint8_t needed = t->frames.n ? vec_last(&t->frames)->needs : 0;
	struct trail_frame f = {.regs = s->from, .needs = s->uses, .exact = s->exact};

	if (s->n > TRAIL_READS || t->frames.n >= TRAIL_MOST ||
	    !hand_down(needed, TRAIL_FP, s->fp, &f.needs) ||
	    !hand_down(needed, TRAIL_KEPT, s->kept, &f.needs))
		return false;
	for (unsigned int i = 0; i < s->n; i++)
		if (!s->of[i] || s->of[i] & needed)
			vec_add(&t->reads, s->reads[i]);
	f.reads = (uint32_t)t->reads.n;
	vec_add(&t->frames, f);
	return true;
}

static bool push_all(struct trail *t, const struct trail_step *steps, size_t n)
{
	while (n)
		if (!trail_push(t, &steps[--n]))
			return false;
	return true;
}

/* The frames of another one but for the outermost, of whose step nothing was known. */
static bool push_frames(struct trail *t, const struct trail *from, size_t n)
{
	const size_t reads = t->reads.n;

	for (size_t i = 1; i < n; i++) {
		struct trail_frame f = from->frames.at[i];

		if (t->frames.n >= TRAIL_MOST)
			return false;
		f.reads += (uint32_t)reads;
		vec_add(&t->frames, f);
	}
	if (n)
		for (size_t i = 0; i < from->frames.at[n - 1].reads; i++)
			vec_add(&t->reads, from->reads.at[i]);
	return true;
}

void trail_put(struct trail *t, size_t joined, const struct trail_step *outer, size_t n_outer,
	       const struct trail_step *inner, size_t n_inner, bool whole)
{
	struct trail made = {.thread = t->thread, .space = t->space, .whole = whole};

	if (!n_outer) {
		t->frames.n = joined;
		t->reads.n = joined ? t->frames.at[joined - 1].reads : 0;
		t->whole = whole;
		push_all(t, inner, n_inner);
		return;
	}
	if (push_all(&made, outer, n_outer) && push_frames(&made, t, joined))
		push_all(&made, inner, n_inner);
	trail_release(t);
	*t = made;
}

void trail_release(struct trail *t)
{
	vec_release(&t->frames);
	vec_release(&t->reads);
}
