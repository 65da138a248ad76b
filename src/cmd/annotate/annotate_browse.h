/* SPDX-License-Identifier: MIT */
/* Annotated functions in the browser. */
#ifndef CMD_ANNOTATE_BROWSE_H
#define CMD_ANNOTATE_BROWSE_H

#include "cmd/annotate/annotate_opts.h"

/* True when code goes to a terminal that a browser can be on, and no text is asked for. */
bool annotate_browses(const struct annotate_opts *o, const struct env *env);
/* Browses the functions of a table that is made for annotate_init(), from the hottest one on. 0, or
 * -1 with *err when no function has code. */
int annotate_browse(const struct annotate_opts *o, const struct annotate_view *view,
		    const struct table *table, struct err *err);

#endif
