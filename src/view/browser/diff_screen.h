/* SPDX-License-Identifier: MIT */
/* The browser of compared recordings: the rows of diff's text. Keys change how the recordings are
 * compared. */
#ifndef VIEW_BROWSER_DIFF_SCREEN_H
#define VIEW_BROWSER_DIFF_SCREEN_H

#include "view/browser/browse.h"
#include "view/diff.h"

/* Compares the tables (see diff_make()) and shows the browser until the user leaves it. The view
 * has the initial options. */
void diff_browse(struct screen *screen, const struct table *const *tables, size_t n,
		 const struct diff_view *view);

#endif
