/* SPDX-License-Identifier: MIT */
/*
 * The raw words of a sample's call chain, wherever the recorder put them: in the chain itself, or
 * in a branch stack that the hardware keeps as a call stack, in a copy of the stack.
 */
#ifndef PROFILE_CHAIN_WORDS_H
#define PROFILE_CHAIN_WORDS_H

#include "base/mem.h"
#include "data/recording.h"
#include "world/unwound.h"

struct chain_words {
	struct unwound unwound;
	VEC(uint64_t) made; /* when the words had to be put together */
	const uint64_t *at;
	uint64_t n;
};

/* max_stack, keep_outer: of chains of events that copy stacks, see struct unwound; others are left
 * as they are. */
void chain_words_init(struct chain_words *w, struct world *world, const struct measurement *m,
		      uint32_t max_stack, bool keep_outer);
/* epoch: of the thread at that time. */
void chain_words_of(struct chain_words *w, uint32_t epoch, const struct event *ev,
		    const struct sample *s);
void chain_words_release(struct chain_words *w);

#endif
