/* SPDX-License-Identifier: MIT */
/*
 * An annotated function as perf's browser shows it, on paper (perf annotate --stdio2): instructions
 * without their addresses, arrows at jumps, calls and returns, offsets of those that are jumped to.
 */
#ifndef VIEW_ANNOTATE_STDIO2_H
#define VIEW_ANNOTATE_STDIO2_H

#include "symbol/disasm/flow.h"
#include "view/annotate/annotate.h"

/* One function. False when the reader has gone. */
bool annotate_show_stdio2(struct annotate_view *v, const struct annotate *a,
			  const struct annotate_symbol *s, struct annotate_lines *l,
			  struct out *out);

/* -- for its browser: line by line -- */

/* What is known of a function before its first line is shown. Borrows all that it is made of. */
struct annotate_sheet {
	const struct annotate_view *v;
	const struct annotate *a;
	const struct annotate_symbol *s;
	const struct annotate_lines *l;
	struct arena arena;
	struct disasm_flow flow;
	size_t shares, address, name; /* widths */
};
void annotate_sheet_init(struct annotate_sheet *sh, const struct annotate_view *v,
			 const struct annotate *a, const struct annotate_symbol *s,
			 const struct annotate_lines *l);
void annotate_sheet_release(struct annotate_sheet *sh);
/* Finds the widths, after the view was changed. */
void annotate_sheet_measure(struct annotate_sheet *sh);
/* Appends a line of the disassembly: .shares columns, a blank, and its text. headed: the first line
 * names the columns where it has no shares. */
void annotate_sheet_line(const struct annotate_sheet *sh, size_t line, bool headed, struct buf *b);
/* The function that a call or jump in this line leads to, NULL when it is not known. */
const struct symbol *annotate_sheet_target(const struct annotate_sheet *sh, size_t line);

#endif
