/* SPDX-License-Identifier: MIT */
/* The symbols of an ELF file that name code or data, as an unsorted run. */
#ifndef SYMBOL_ELF_SYMBOLS_H
#define SYMBOL_ELF_SYMBOLS_H

#include "symbol/elf_file.h"
#include "symbol/symbol_table.h"

/* Is there a symbol table of that kind (SHT_SYMTAB: .symtab, SHT_DYNSYM: .dynsym)? */
bool elf_has_symbols(const struct elf_file *f, uint32_t type);
/* Adds the symbols of one table, at file offsets of runtime, the file that was mapped (f itself, or
 * another when f holds its debug information); at virtual addresses when runtime is NULL. Names
 * stay in f's bytes. */
void elf_symbols_add(const struct elf_file *f, const struct elf_file *runtime, uint32_t type,
		     struct symbol_table *t);
/* Where the sections of a relocatable file, a kernel module, lie from the module's start on (one a section,
 * UINT64_MAX: nobody knows); false: it is none. */
bool elf_module_places(const struct elf_file *f, uint64_t *places);
/* Adds "name@plt" for each slot of the procedure linkage tables; names are made in arena. */
void elf_plt_add(const struct elf_file *f, struct symbol_table *t, struct arena *arena,
		 shown_name_fn shown, void *ctx);

/* All of the above, as perf puts them together: the symbols of f and the exported ones of dynamic
 * (f itself, but for a table that was carried by the file that exports them), the linkage tables of
 * runtime. */
void elf_load(const struct elf_file *f, const struct elf_file *dynamic,
	      const struct elf_file *runtime, struct symbol_table *t, struct arena *arena,
	      shown_name_fn shown, void *ctx);

#endif
