/* SPDX-License-Identifier: MIT */
/*
 * Disassembles by LLVM, in this process. libLLVM is loaded by llvm_open(). The functions are those
 * of llvm-c/Disassembler.h (LLVM 14 to 21), which have not changed since LLVM 3.
 */
#ifndef SYMBOL_DISASM_LLVM_H
#define SYMBOL_DISASM_LLVM_H

#include "base/buf.h"
#include "base/err.h"
#include "symbol/disasm/insn.h"

struct llvm;

/* Opens a disassembler for one kind of processor. NULL with *err: there is no libLLVM, or it does
 * not support the processor. */
struct llvm *llvm_open(const struct insn_machine *m, bool intel, struct err *err);
void llvm_close(struct llvm *l); /* l may be NULL */
/* True when it is one for that processor and dialect; l may be NULL. */
bool llvm_fits(const struct llvm *l, const struct insn_machine *m, bool intel);
/* Disassembles the instruction at p, of at most n bytes: appends its text ("mov    %rdi,%rdx")
 * and returns its size; 0: it is no instruction. */
size_t llvm_instruction(struct llvm *l, const uint8_t *p, size_t n, uint64_t vaddr,
			struct buf *out);

#endif
