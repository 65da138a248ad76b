/* SPDX-License-Identifier: MIT */
/* Disassembles by objdump: for machines and files that LLVM does not support, and for the same text
 * as perf 6.1's. */
#ifndef SYMBOL_DISASM_OBJDUMP_H
#define SYMBOL_DISASM_OBJDUMP_H

#include "symbol/disasm/disasm.h"

/* Disassembles the range d->start .. d->end of an ELF file. 0, or -1 with *err. */
int objdump_disassemble(struct disasm *d, const char *path, const struct disasm_options *o,
			struct err *err);
/* Parses what objdump has printed about the file at path, and adds the lines to d. */
void objdump_parse(struct disasm *d, const char *path, const char *text, size_t n);

#endif
