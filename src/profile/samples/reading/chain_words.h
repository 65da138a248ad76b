/* SPDX-License-Identifier: MIT */
/*
 * The raw words of a sample's call chain, wherever the recorder put them: in the call chain, in a
 * branch stack that the hardware keeps as a call stack, or in a stack dump.
 */
#ifndef PROFILE_CHAIN_WORDS_H
#define PROFILE_CHAIN_WORDS_H

#include "base/mem.h"
#include "data/recording.h"
#include "world/unwound.h"

struct chain_words {
	struct unwound unwound;
	VEC(uint64_t) made; /* the words, where they were made of branches */
	const uint64_t *at;
	uint64_t n;
};

/* max_stack, keep_outer: limit the chains of events with stack dumps, see struct unwound; other
 * chains stay as they are. */
void chain_words_init(struct chain_words *w, struct world *world, const struct measurement *m,
		      uint32_t max_stack, bool keep_outer);
/* Sets .at and .n to the sample's words, valid until the next call. epoch: the thread's at that
 * time. */
void chain_words_of(struct chain_words *w, uint32_t epoch, const struct event *ev,
		    const struct sample *s);
void chain_words_release(struct chain_words *w);

#endif
