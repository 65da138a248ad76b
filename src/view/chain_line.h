/* SPDX-License-Identifier: MIT */
/* A sample's call chain in one line, innermost function first: "a <- b <- c". */
#ifndef VIEW_CHAIN_LINE_H
#define VIEW_CHAIN_LINE_H

#include "view/script/script_frames.h"

struct record;

struct chain_line {
	struct world *world;
	struct script_frames *frames;
	unsigned int max_stack; /* frames; two more are examined, as in perf */
	bool (*is_hidden)(const char *name); /* functions that are not shown */
};

/* Appends a sample's call chain; nothing when the chain is missing or damaged. */
void chain_line_text(const struct chain_line *line, const struct record *r, struct buf *out);

#endif
