/* SPDX-License-Identifier: MIT */
/* All names that a file gives its code, several an address where it has several: a table of symbols
 * that are looked up by address keeps one. */
#ifndef SYMBOL_ELF_NAMES_H
#define SYMBOL_ELF_NAMES_H

#include "symbol/dso.h"

/* Calls fn with each symbol of .symtab, or without one of .dynsym, in the order of the file; it
 * lies at its offset in the file, and ends when fn returns. Linkage tables are left out. 0, or what
 * fn returned to stop; -1: it is no ELF file. */
typedef int (*elf_name_fn)(const struct symbol *sym, void *ctx);
int elf_names_walk(const char *path, elf_name_fn fn, void *ctx);

#endif
