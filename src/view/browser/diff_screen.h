/* SPDX-License-Identifier: MIT */
/* The browser of compared recordings: the rows of diff's text. Keys change how the recordings are
 * compared. */
#ifndef VIEW_BROWSER_DIFF_SCREEN_H
#define VIEW_BROWSER_DIFF_SCREEN_H

#include "view/browser/browse.h"
#include "view/diff.h"

/* Shows the code of a function with the samples of a table's event (an index) until a key leaves
 * it. Returns that key, or 0 with *err. */
struct diff_code {
	int (*show)(void *ctx, struct screen *screen, size_t table, uint32_t event, struct dso *dso,
		    const struct symbol *sym, struct err *err);
	void *ctx;
};

/* Compares the tables (see diff_make()) and shows the browser until the user leaves it. The view
 * has the initial options. */
void diff_browse(struct screen *screen, const struct table *const *tables, size_t n,
		 const struct diff_view *view, const struct diff_code *code);

#endif
