/* SPDX-License-Identifier: MIT */
#ifndef CMD_DIFF_BROWSE_H
#define CMD_DIFF_BROWSE_H

#include "cmd/diff/diff_side.h"
#include "view/diff.h"

/* True when the rows are shown in the browser. */
bool diff_browses(const struct diff_opts *o, const struct env *env);
/* Shows the browser of the sides' tables. Its code is shown as the configuration says. 0, or -1
 * with *err. */
int diff_browse_sides(const struct diff_side *sides, const struct table *const *tables, size_t n,
		      const struct diff_view *view, const struct env *env, struct err *err);

#endif
