/* SPDX-License-Identifier: MIT */
/* Fills a struct disasm: disassemblers add line by line, in the order in which the lines are
 * shown. */
#ifndef SYMBOL_DISASM_BUILDER_H
#define SYMBOL_DISASM_BUILDER_H

#include "base/buf.h"
#include "symbol/disasm/disasm.h"

struct disasm_builder {
	struct disasm *d;
	uint32_t number;  /* of the next line */
	/* source file of the next lines, in the disasm's arena; NULL: not known */
	const char *file;
	uint32_t line;
};

/* Sets the source line of the next lines. */
void disasm_set_place(struct disasm_builder *b, const char *file, size_t n, uint32_t line);
/* Adds a line without an address. Blanks at both ends are dropped; tabs expand to multiples of 8
 * columns. */
void disasm_add_text(struct disasm_builder *b, const char *text, size_t n);
/* Adds an instruction. column: where its text begins in the line, for tabs; behind "1139:" it is
 * 5. */
void disasm_add_instruction(struct disasm_builder *b, uint64_t vaddr, size_t column,
			    const char *text, size_t n);

#endif
