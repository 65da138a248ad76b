/* SPDX-License-Identifier: MIT */
/* Lists all symbols of a file, including several at one address. (A struct symbol_table keeps one
 * of them.) */
#ifndef SYMBOL_ELF_NAMES_H
#define SYMBOL_ELF_NAMES_H

#include "symbol/dso.h"

/* Calls fn with each symbol of .symtab, or of .dynsym when there is no .symtab, in the order of the
 * file. Its start is a file offset. It is valid until fn returns. Symbols of the PLT are left out.
 * Returns 0, or the non-zero result of fn that stopped the walk; -1: it is no ELF file. */
typedef int (*elf_name_fn)(const struct symbol *sym, void *ctx);
int elf_names_walk(const char *path, elf_name_fn fn, void *ctx);

/* True when the file can be read and takes that symbol from another file at run time. */
bool elf_needs_symbol(const char *path, const char *name);

#endif
