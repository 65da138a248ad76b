/* SPDX-License-Identifier: MIT */
/*
 * An annotated function as perf's browser shows it, on paper (perf annotate --stdio2): instructions
 * without their addresses, arrows at jumps, calls and returns, offsets of those that are jumped to.
 */
#ifndef VIEW_ANNOTATE_STDIO2_H
#define VIEW_ANNOTATE_STDIO2_H

#include "view/annotate/annotate.h"

/* One function. False when the reader has gone. */
bool annotate_show_stdio2(struct annotate_view *v, const struct annotate *a,
			  const struct annotate_symbol *s, struct annotate_lines *l,
			  struct out *out);

#endif
