/* SPDX-License-Identifier: MIT */
/*
 * Addresses whose source lines will be looked up, gathered for one batch (dso_sources). Each pair
 * of epoch and address comes once. A struct with only .world set is valid and empty.
 */
#ifndef PROFILE_LINE_QUESTIONS_H
#define PROFILE_LINE_QUESTIONS_H

#include "symbol/lines/lines.h"
#include "world/world.h"

struct line_questions {
	const struct world *world;
	VEC(struct line_question) asked; /* may be taken away: none comes again */
	/* private */
	struct idmap *spaces; /* by ip; one for each epoch and cpumode */
	struct intern keys;   /* {epoch, cpumode}: its id is the index in .spaces */
	size_t n_spaces, n_known;
	uint32_t last[2], last_id; /* the last key and its id, with n_spaces */
};

void line_questions_add(struct line_questions *q, uint32_t epoch, uint8_t cpumode, uint64_t ip);
/* Adds the addresses of a chain, at most so many. */
void line_questions_chain(struct line_questions *q, uint32_t epoch, const uint64_t *words, size_t n,
			  size_t most);
void line_questions_release(struct line_questions *q);

#endif
