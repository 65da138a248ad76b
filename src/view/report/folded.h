/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks: a line for each different stack, what flame graphs are drawn from:
 *
 *   comm;outermost function;...;innermost function WEIGHT
 *
 * The text is what FlameGraph's stackcollapse-perf.pl makes of script's; doc/format.md says where
 * not.
 */
#ifndef VIEW_FOLDED_H
#define VIEW_FOLDED_H

#include "profile/table/table.h"
#include "view/out.h"

/* The table's only key is comm; it has chains, in callee order. By samples: their number, instead
 * of the sum of their periods. The event that is shown when several were recorded; NULL: all are.
 */
const struct event *folded_show(const struct table *table, bool samples, struct out *out);
/* The name of a function as it stands in a stack. */
void folded_name(const char *name, bool java, struct buf *out);

#endif
