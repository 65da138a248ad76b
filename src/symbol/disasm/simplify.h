/* SPDX-License-Identifier: MIT */
/* Formats instructions as perf's browser does: with names for addresses that have one. */
#ifndef SYMBOL_DISASM_SIMPLIFY_H
#define SYMBOL_DISASM_SIMPLIFY_H

#include "base/buf.h"
#include "symbol/disasm/disasm.h"
#include "symbol/disasm/insn.h"

/* The width of the first word of an instruction. */
size_t disasm_name_width(const struct disasm_line *line);
/*
 * Appends the instruction, its first word padded to width. In a jump inside of the function, the
 * target's offset replaces the address. In a call or another jump, the target's name does (NULL:
 * not known). For an operand relative to the instruction, which a comment resolves, the name
 * replaces operand and comment.
 */
void disasm_simplify(const struct disasm *d, const struct disasm_line *line,
		     const struct insn *insn, const char *target, size_t width, struct buf *out);
/* True for a jump to an address of the function or right behind it. */
bool disasm_jumps_inside(const struct disasm *d, const struct insn *insn);

#endif
