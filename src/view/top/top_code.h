/* SPDX-License-Identifier: MIT */
/* The annotated function on top's screen, in place of the table: keys s, S and F. */
#ifndef VIEW_TOP_CODE_H
#define VIEW_TOP_CODE_H

#include "analysis/annotate/annotate.h"
#include "symbol/disasm/disasm.h"
#include "view/annotate/annotate.h"
#include "view/top/top_screen.h"

/* All zero is valid and shows nothing. */
struct top_code {
	struct disasm_options how;
	enum percent_type percent_type;
	struct annotate_look look;
	char *symbol; /* the function shown; NULL: none. Owned. */
	/* private: a function is disassembled once, not at each refresh */
	struct disasm disasm;
	const struct symbol *of; /* of the world of .renewals; NULL: none yet */
	unsigned int renewals;
};

void top_code_release(struct top_code *c);
/* Shows another function from now on; NULL: none. */
void top_code_choose(struct top_code *c, const char *symbol);
/* Shows the function in place of the table: places with at least min_percent of the screen's event.
 * p->code must have been made. */
void top_code_show(struct top_code *c, const struct top_screen *s, const struct live_profile *p,
		   unsigned int min_percent, struct out *out);

#endif
