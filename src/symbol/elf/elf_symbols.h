/* SPDX-License-Identifier: MIT */
/* The symbols of an ELF file that name code or data, as an unsorted run. */
#ifndef SYMBOL_ELF_SYMBOLS_H
#define SYMBOL_ELF_SYMBOLS_H

#include "symbol/elf/elf_file.h"
#include "symbol/table/symbol_table.h"

/* Is there a symbol table of that kind (SHT_SYMTAB: .symtab, SHT_DYNSYM: .dynsym)? */
bool elf_has_symbols(const struct elf_file *f, uint32_t type);

/* One table as it lies in a file's bytes, which stay. */
struct elf_symbols {
	const uint8_t *p;
	size_t n; /* symbols, of any kind; 0: there is no such table */
	bool is_64_bit, swap;
	struct elf_strings names;
};

#define ELF_SYMBOLS_MAX ((size_t)1 << 29)

void elf_symbols_open(struct elf_symbols *s, const struct elf_file *f, uint32_t type);
/* Those that name code or data, in the order of the table: where each lies, at file offsets of
 * runtime, the file that was mapped (f itself, or another when f holds its debug information); at
 * virtual addresses when runtime is NULL. Their ids count from first_id. keys has room for all; how
 * many there are. */
size_t elf_symbols_keys(const struct elf_symbols *s, const struct elf_file *f,
			const struct elf_file *runtime, uint32_t first_id, struct symbol_key *keys);
/* The i-th symbol, which lies there; it has no end yet when it has no size. */
struct symbol elf_symbol_at(const struct elf_symbols *s, size_t i, uint64_t start);
/* Asks memory for it, or for its name, which another call had asked for it a while before. */
void elf_symbol_ahead(const struct elf_symbols *s, size_t i, bool name);

/* Adds the symbols of one table, placed as above. Names stay in f's bytes. */
void elf_symbols_add(const struct elf_file *f, const struct elf_file *runtime, uint32_t type,
		     struct symbol_table *t);
/* Where the sections of a relocatable file, a kernel module, lie from the module's start on (one a
 * section, UINT64_MAX: nobody knows); false: it is none. */
bool elf_module_places(const struct elf_file *f, uint64_t *places);

/* Is the code at that virtual address Thumb? Of EM_ARM: the mapping symbols $a and $t say so, and
 * bit 0 of a function's value where they were stripped. */
bool elf_is_thumb(const struct elf_file *f, uint64_t vaddr);

/* The slots of a procedure linkage table, in order: "name@plt" for each. */
struct elf_plt {
	struct cursor symbols, relocations; /* of a file whose bytes stay */
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
/* Its name is made in arena. */
struct symbol elf_plt_symbol(const struct elf_plt *p, size_t i, struct arena *arena,
			     shown_name_fn shown, void *ctx);

/* All of the above, as perf puts them together: the symbols of f and the exported ones of dynamic
 * (f itself, but for a table that was carried by the file that exports them), the linkage tables of
 * runtime. */
void elf_load(const struct elf_file *f, const struct elf_file *dynamic,
	      const struct elf_file *runtime, struct symbol_table *t, struct arena *arena,
	      shown_name_fn shown, void *ctx);

#endif
