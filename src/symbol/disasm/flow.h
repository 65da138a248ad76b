/* SPDX-License-Identifier: MIT */
/* The control flow within a function: the kind of each instruction, and the number of jumps to
 * it. */
#ifndef SYMBOL_DISASM_FLOW_H
#define SYMBOL_DISASM_FLOW_H

#include "symbol/disasm/disasm.h"
#include "symbol/disasm/insn.h"

/* Arrays have an element for each line of the disassembly; they live in the arena given to
 * disasm_flow_init(). Elements of lines without an instruction are zero. */
struct disasm_flow {
	const struct disasm *disasm;
	struct insn *insns;
	uint32_t *jumps;  /* how many instructions of the function jump to this line */
	bool has_unknown; /* some jump has a target that its text doesn't tell: a jump table */
};

void disasm_flow_init(struct disasm_flow *f, const struct disasm *d, struct arena *arena);

#define DISASM_NO_LINE SIZE_MAX
/*
 * The line of the only instruction that can run right before that of `line`: the one above it, when
 * that one continues with the next and no jump leads to `line`. DISASM_NO_LINE: there are several,
 * none, or it is not known (in functions with jump tables, and on machines without an instruction
 * table).
 */
size_t disasm_flow_before(const struct disasm_flow *f, size_t line);

#endif
