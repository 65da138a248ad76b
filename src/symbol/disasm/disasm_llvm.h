/* SPDX-License-Identifier: MIT */
/* Disassembles a function by LLVM, in the layout of objdump -l -d -S. */
#ifndef SYMBOL_DISASM_BY_LLVM_H
#define SYMBOL_DISASM_BY_LLVM_H

#include "symbol/disasm/disasm.h"
#include "symbol/disasm/function_code.h"

/* Returns 0, or -1 with *err. d->start and d->end must be set. */
int disasm_by_llvm(struct disasm *d, struct dso *dso, const struct symbol *sym,
		   const struct function_code *code, const struct disasm_options *o,
		   struct err *err);

#endif
