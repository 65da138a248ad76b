/* SPDX-License-Identifier: MIT */
/*
 * The symbols of an ELF file, each made when it is asked for. A large program has a hundred
 * thousand, a report of it shows a thousand: names, aliases and ends of the others are never looked
 * at. What is made at once is a sorted array of addresses.
 *
 * The answers are those of a table that was made of all symbols (elf_load): where symbols lie
 * inside others, which one names an address depends on all that came before, and that table is
 * made.
 */
#ifndef SYMBOL_TABLE_ELF_TABLE_H
#define SYMBOL_TABLE_ELF_TABLE_H

#include "symbol/elf/elf_symbols.h"

/* Makes an empty table of what elf_load takes. The bytes of all three files stay where they are
 * until the table is released, the rest of them need not. */
void elf_table_make(struct symbol_table *t, const struct elf_file *f,
		    const struct elf_file *dynamic, const struct elf_file *runtime,
		    shown_name_fn shown, void *ctx);
/* What names an address that several symbols cover is kept for that build-id in a cache of
 * cache_size bytes (symbol/cache/covered.h); 0: there is none. how: what else names depend on. */
void elf_table_keep(struct symbol_table *t, const struct build_id *id, uint32_t how,
		    uint64_t cache_size);
void elf_table_free(struct elf_table *e);

/* The one at that place in the order of addresses, made if need be; by any thread. */
const struct symbol *elf_table_at(const struct symbol_table *t, size_t i);
const struct symbol *elf_table_find(const struct symbol_table *t, uint64_t address);

#endif
