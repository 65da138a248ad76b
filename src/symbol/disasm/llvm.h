/* SPDX-License-Identifier: MIT */
/*
 * Disassembly by LLVM, in this process: its library is loaded when it is asked for. The functions
 * are those of llvm-c/Disassembler.h (LLVM 14 to 21), which have not changed since LLVM 3.
 */
#ifndef SYMBOL_DISASM_LLVM_H
#define SYMBOL_DISASM_LLVM_H

#include "base/buf.h"
#include "base/err.h"
#include "symbol/disasm/insn.h"

struct llvm;

/* For one kind of processor. NULL with *err: there is no such library, or it does not know the
 * processor. */
struct llvm *llvm_open(const struct insn_machine *m, bool intel, struct err *err);
void llvm_close(struct llvm *l); /* NULL is none */
/* The instruction that begins at p, at most n bytes: appends its text ("mov    %rdi,%rdx") and
 * returns its size; 0: it is none. */
size_t llvm_instruction(struct llvm *l, const uint8_t *p, size_t n, uint64_t vaddr,
			struct buf *out);

#endif
