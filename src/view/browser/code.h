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
	/* The key 'r': runs a script on samples of the function. Returns the key that left its
	 * output, or 0; errors are shown on b. NULL: there is no such key. */
	int (*run_script)(void *ctx, struct browse *b, const char *symbol);
	void *ctx;
};

/* Shows a function until a key leaves it, and returns that key. The function may have no samples in
 * a. 0 with *err when its code cannot be shown. */
int code_browse(struct screen *screen, const struct code_options *o, const struct annotate *a,
		struct dso *dso, const struct symbol *sym, struct err *err);

#endif
