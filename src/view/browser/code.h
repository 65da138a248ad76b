/* SPDX-License-Identifier: MIT */
/*
 * The browser of a function's annotated code: the lines of annotate --stdio2. Keys follow jumps and
 * calls.
 */
#ifndef VIEW_BROWSER_CODE_H
#define VIEW_BROWSER_CODE_H

#include "view/annotate/annotate.h"
#include "view/browser/browse.h"

struct code_options {
	struct annotate_view view;
	struct disasm_options disasm;
	bool skid;	 /* see annotate_lines_init() */
	bool functions;	 /* the keys '<' and '>' leave, for the previous or the next function */
};

/* Shows a function until a key leaves it, and returns that key. The function may have no samples in
 * a. 0 with *err when its code cannot be shown. */
int code_browse(struct screen *screen, const struct code_options *o, const struct annotate *a,
		struct dso *dso, const struct symbol *sym, struct err *err);

#endif
