/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks, the input of flame graphs: a line for each different stack:
 *
 *   comm;outermost function;...;innermost function WEIGHT
 *
 * The text is that of FlameGraph's stackcollapse-perf.pl run on script's output; doc/format.md
 * lists the differences.
 */
#ifndef VIEW_FOLDED_H
#define VIEW_FOLDED_H

#include "profile/table/table.h"
#include "view/out/out.h"

/* Shows the table's stacks. The table has call chains in callee order, and comm is its first key.
 * samples: weights are numbers of samples, instead of sums of periods. Returns the one event that
 * is shown of several; NULL: all events are shown. */
const struct event *folded_show(const struct table *table, bool samples, struct out *out);
/* Appends the name of a function as stacks have it. */
void folded_name(const char *name, bool java, struct buf *out);

#endif
