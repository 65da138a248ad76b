/* SPDX-License-Identifier: MIT */
/* The table of report --total-cycles: an event's basic blocks, the costliest first. */
#ifndef VIEW_BLOCKS_H
#define VIEW_BLOCKS_H

#include "profile/table/blocks.h"
#include "profile/table/table.h"
#include "view/out/out.h"

/* Blocks below percent_limit are left out. False when the reader has gone. */
bool blocks_show(const struct blocks *b, const struct table *table, const struct event_entries *ev,
		 double percent_limit, struct out *out);

#endif
