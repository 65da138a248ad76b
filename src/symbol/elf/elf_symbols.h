/* SPDX-License-Identifier: MIT */
/* Reads the symbols of an ELF file that name code or data, unsorted. */
#ifndef SYMBOL_ELF_SYMBOLS_H
#define SYMBOL_ELF_SYMBOLS_H

#include "symbol/elf/elf_file.h"
#include "symbol/table/symbol_table.h"

/* True when there is a symbol table of that kind (SHT_SYMTAB: .symtab, SHT_DYNSYM: .dynsym). */
bool elf_has_symbols(const struct elf_file *f, uint32_t type);

/* A symbol table inside a file's bytes, which must stay. */
struct elf_symbols {
	const uint8_t *p;
	size_t n; /* symbols of any type; 0: there is no such table */
	bool is_64_bit, swap;
	struct elf_strings names;
};

#define ELF_SYMBOLS_MAX ((size_t)1 << 29)

void elf_symbols_open(struct elf_symbols *s, const struct elf_file *f, uint32_t type);
/* Writes the keys of the symbols that name code or data, in the order of the table. Their starts
 * are file offsets of runtime, the file that was mapped (f itself, or another file when f holds its
 * debug information); they are virtual addresses when runtime is NULL. Ids count from first_id.
 * keys has room for all s->n symbols. Returns how many keys were written. */
size_t elf_symbols_keys(const struct elf_symbols *s, const struct elf_file *f,
			const struct elf_file *runtime, uint32_t first_id, struct symbol_key *keys);
/* The i-th symbol, with that start. A symbol without a size has no end yet: end == start. */
struct symbol elf_symbol_at(const struct elf_symbols *s, size_t i, uint64_t start);
/* Prefetches the i-th symbol; name: its name. Prefetch the symbol a while before its name. */
void elf_symbol_ahead(const struct elf_symbols *s, size_t i, bool name);

/* Adds the symbols of one table, placed as by elf_symbols_keys(). Names point into f's bytes. */
void elf_symbols_add(const struct elf_file *f, const struct elf_file *runtime, uint32_t type,
		     struct symbol_table *t);
/* Computes the offset of each section of a kernel module (a relocatable file) from the module's
 * start. places has one element a section; UINT64_MAX: not known. False: f is not relocatable. */
bool elf_module_places(const struct elf_file *f, uint64_t *places);

/* True when the code at that virtual address is Thumb. For EM_ARM: the mapping symbols $a and $t
 * say so, or bit 0 of a function's value where they were stripped. */
bool elf_is_thumb(const struct elf_file *f, uint64_t vaddr);

/* True when the dynamic linker has to find the symbol in another file. */
bool elf_leaves_undefined(const struct elf_file *f, const char *name);

/* The slots of a procedure linkage table, in order: "name@plt" for each. */
struct elf_plt {
	struct cursor symbols, relocations; /* in a file's bytes, which must stay */
	struct elf_strings names;
	size_t entsize, n;
	uint64_t start;
	uint32_t entry;
	bool is_64_bit;
};
void elf_plt_open(struct elf_plt *p, const struct elf_file *f); /* .n is 0 when there is none */
static inline uint64_t elf_plt_start(const struct elf_plt *p, size_t i)
{
	return p->start + i * p->entry;
}
/* Makes the symbol of slot i. Its name is allocated in arena. */
struct symbol elf_plt_symbol(const struct elf_plt *p, size_t i, struct arena *arena,
			     shown_name_fn shown, void *ctx);

/* Loads all symbols in the way perf does: those of f, the exported ones of dynamic, and the PLT of
 * runtime. dynamic is f itself, unless f was embedded in the file that exports them. */
void elf_load(const struct elf_file *f, const struct elf_file *dynamic,
	      const struct elf_file *runtime, struct symbol_table *t, struct arena *arena,
	      shown_name_fn shown, void *ctx);

#endif
