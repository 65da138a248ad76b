/* SPDX-License-Identifier: MIT */
/* How disassemblers fill a struct disasm: line by line, in the order in which they are shown. */
#ifndef SYMBOL_DISASM_BUILDER_H
#define SYMBOL_DISASM_BUILDER_H

#include "base/buf.h"
#include "symbol/disasm/disasm.h"

struct disasm_builder {
	struct disasm *d;
	uint32_t number;  /* of the next line */
	const char *file; /* the source of what follows, in the disasm's arena; NULL: not known */
	uint32_t line;
};

/* What follows comes from that line of that file. */
void disasm_set_place(struct disasm_builder *b, const char *file, size_t n, uint32_t line);
/* Adds a line without an address. Blanks at both ends are dropped, tabs go to every
 * eighth column. */
void disasm_add_text(struct disasm_builder *b, const char *text, size_t n);
/* Adds an instruction. Its text begins in that column of the line: behind "1139:" it is 5. */
void disasm_add_instruction(struct disasm_builder *b, uint64_t vaddr, size_t column,
			    const char *text, size_t n);

#endif
