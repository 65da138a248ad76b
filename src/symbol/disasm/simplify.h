/* SPDX-License-Identifier: MIT */
/* Instructions as perf's browser writes them: names where operands are addresses that have one. */
#ifndef SYMBOL_DISASM_SIMPLIFY_H
#define SYMBOL_DISASM_SIMPLIFY_H

#include "base/buf.h"
#include "symbol/disasm/disasm.h"
#include "symbol/disasm/insn.h"

/* The width of the first word of an instruction. */
size_t disasm_name_width(const struct disasm_line *line);
/*
 * Appends the instruction, its first word filled up to width. A jump inside of the function has the
 * offset of its target in place of the address, a call or another jump the target's name (NULL: not
 * known); of operands relative to the instruction, which a comment explains, the name replaces
 * both.
 */
void disasm_simplify(const struct disasm *d, const struct disasm_line *line,
		     const struct insn *insn, const char *target, size_t width, struct buf *out);
/* True for a jump to an address of the function, which may be just behind it. */
bool disasm_jumps_inside(const struct disasm *d, const struct insn *insn);

#endif
