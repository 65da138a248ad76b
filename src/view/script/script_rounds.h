/* SPDX-License-Identifier: MIT */
/* Recorded counts as `script` shows them: a line for each counter at the end of each round. */
#ifndef VIEW_SCRIPT_ROUNDS_H
#define VIEW_SCRIPT_ROUNDS_H

#include "data/stat_rounds.h"

struct script_rounds {
	struct stat_rounds rounds;
	struct counts before, part; /* at the end of the last interval; in this one */
	bool headed;
};

void script_rounds_start(struct script_rounds *s, struct recording *rec);
void script_rounds_release(struct script_rounds *s);
/* Takes in any record; a record that ends a round appends the round's lines. 0, or -1 with *err. */
int script_rounds_add(struct script_rounds *s, const struct record *r, struct buf *out,
		      struct err *err);

#endif
