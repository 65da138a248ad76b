/* SPDX-License-Identifier: MIT */
/* Annotated functions in the browser. */
#ifndef CMD_ANNOTATE_BROWSE_H
#define CMD_ANNOTATE_BROWSE_H

#include "cmd/annotate/annotate_opts.h"

/* True when the terminal can show a browser, and no option asks for text. */
bool annotate_browses(const struct annotate_opts *o, const struct env *env);
/* Browses the functions, starting with the hottest. The table is made for annotate_init(). 0, or -1
 * with *err when no function has code. */
int annotate_browse(const struct annotate_opts *o, const struct env *env,
		    const struct annotate_view *view, const struct table *table, struct err *err);

#endif
