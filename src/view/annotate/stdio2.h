/* SPDX-License-Identifier: MIT */
/*
 * An annotated function as plain text in the style of perf's browser (perf annotate --stdio2):
 * instructions without addresses, arrows at jumps, calls and returns, offsets at jump targets.
 */
#ifndef VIEW_ANNOTATE_STDIO2_H
#define VIEW_ANNOTATE_STDIO2_H

#include "symbol/disasm/flow.h"
#include "view/annotate/annotate.h"

/* Shows one function. False when the reader has gone. */
bool annotate_show_stdio2(struct annotate_view *v, const struct annotate *a,
			  const struct annotate_symbol *s, struct annotate_lines *l,
			  struct out *out);

/* -- for its browser: line by line -- */

/* A function prepared for showing its lines. Borrows all that its pointers refer to. */
struct annotate_sheet {
	const struct annotate_view *v;
	const struct annotate *a;
	const struct annotate_symbol *s;
	const struct annotate_lines *l;
	struct arena arena;
	struct disasm_flow flow;
	struct annotate_look look;	     /* after a change call annotate_sheet_measure() */
	/* widths; shares: with the columns of branch stacks; jumps: 0 without such a column */
	size_t shares, jumps, address, name;
};
void annotate_sheet_init(struct annotate_sheet *sh, const struct annotate_view *v,
			 const struct annotate *a, const struct annotate_symbol *s,
			 const struct annotate_lines *l);
void annotate_sheet_release(struct annotate_sheet *sh);
/* Computes the widths; call it after a change of the view or the look. */
void annotate_sheet_measure(struct annotate_sheet *sh);
/* Appends a line of the disassembly: .shares columns, a blank, and its text. headed: the first line
 * names the columns where it has no shares. */
void annotate_sheet_line(const struct annotate_sheet *sh, size_t line, bool headed, struct buf *b);
/* The function that a call or jump in this line leads to, NULL when it is not known. */
const struct symbol *annotate_sheet_target(const struct annotate_sheet *sh, size_t line);

#endif
