/* SPDX-License-Identifier: MIT */
/* The browser of compared recordings: the rows of diff's text, compared anew by keys. */
#ifndef VIEW_BROWSER_DIFF_SCREEN_H
#define VIEW_BROWSER_DIFF_SCREEN_H

#include "view/browser/browse.h"
#include "view/diff.h"

/* Compares the tables (see diff_make()) and shows them until it is left. The view's options are
 * those of the beginning. */
void diff_browse(struct screen *screen, const struct table *const *tables, size_t n,
		 const struct diff_view *view);

#endif
