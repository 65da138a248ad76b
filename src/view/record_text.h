/* SPDX-License-Identifier: MIT */
/*
 * Side-band records as text, as `report -D` and `script --show-*-events` show them.
 */
#ifndef VIEW_RECORD_TEXT_H
#define VIEW_RECORD_TEXT_H

#include "base/buf.h"
#include "data/record/record.h"
#include "world/world.h"

/* "PERF_RECORD_COMM exec: ls:1/1\n": appends the record's name, and the fields of the types that
 * have a text. Always ends with a newline. w names kernel addresses; it may be NULL. */
void record_text(const struct record *r, const struct world *w, struct buf *out);

#endif
