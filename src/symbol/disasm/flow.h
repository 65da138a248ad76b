/* SPDX-License-Identifier: MIT */
/* Where control goes within a function: what its instructions do, and which jumps lead to them. */
#ifndef SYMBOL_DISASM_FLOW_H
#define SYMBOL_DISASM_FLOW_H

#include "symbol/disasm/disasm.h"
#include "symbol/disasm/insn.h"

/* Arrays have an element for each line of the disassembly, and live in the arena that was given.
 * Lines that are no instruction are zero. */
struct disasm_flow {
	const struct disasm *disasm;
	struct insn *insns;
	uint32_t *jumps;  /* how many instructions of the function jump here */
	bool has_unknown; /* some jump leads to where its text does not tell: a jump table */
};

void disasm_flow_init(struct disasm_flow *f, const struct disasm *d, struct arena *arena);

#define DISASM_NO_LINE SIZE_MAX
/*
 * The line of the only instruction that can have run right before that of a line: the one above it,
 * when that goes on and nothing else leads here. DISASM_NO_LINE: there are several, none, or it is
 * not known (in functions with jump tables, on machines without a table of instructions).
 */
size_t disasm_flow_before(const struct disasm_flow *f, size_t line);

#endif
