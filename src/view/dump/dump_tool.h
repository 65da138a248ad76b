/* SPDX-License-Identifier: MIT */
/* Records that tools synthesize, for dump.c: the text after the record's name, newline included. */
#ifndef VIEW_DUMP_TOOL_H
#define VIEW_DUMP_TOOL_H

#include "view/dump/dump.h"

void dump_tool_record(const struct recording *rec, const struct record *r, enum dump_for who,
		      struct buf *b);

#endif
