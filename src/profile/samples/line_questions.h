/* SPDX-License-Identifier: MIT */
/*
 * Addresses whose lines will be asked for, gathered so that all of them can be looked up at once
 * (dso_sources): each address of each state of each address space comes once. All zero but for the
 * world is valid and empty.
 */
#ifndef PROFILE_LINE_QUESTIONS_H
#define PROFILE_LINE_QUESTIONS_H

#include "symbol/lines/lines.h"
#include "world/world.h"

struct line_questions {
	const struct world *world;
	VEC(struct line_question) asked; /* may be taken away: what was there doesn't come again */
	/* private */
	struct idmap *spaces; /* by ip; one an epoch and mode */
	struct intern keys;   /* {epoch, mode}: its id is the index of that */
	size_t n_spaces, n_known;
	uint32_t last[2], last_id; /* the key that was asked for last, where there are any */
};

void line_questions_add(struct line_questions *q, uint32_t epoch, uint8_t cpumode, uint64_t ip);
/* All of a chain's addresses; at most so many. */
void line_questions_chain(struct line_questions *q, uint32_t epoch, const uint64_t *words, size_t n,
			  size_t most);
void line_questions_release(struct line_questions *q);

#endif
