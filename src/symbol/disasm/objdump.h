/* SPDX-License-Identifier: MIT */
/* Disassembly by objdump: for machines and files that LLVM does not know, and for a text equal to
 * perf 6.1's. */
#ifndef SYMBOL_DISASM_OBJDUMP_H
#define SYMBOL_DISASM_OBJDUMP_H

#include "symbol/disasm/disasm.h"

/* Of the range d->start .. d->end of an ELF file. 0, or -1 with *err. */
int objdump_disassemble(struct disasm *d, const char *path, const struct disasm_options *o,
			struct err *err);
/* The same from what objdump has printed of the file of that path. */
void objdump_parse(struct disasm *d, const char *path, const char *text, size_t n);

#endif
