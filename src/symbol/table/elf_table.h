/* SPDX-License-Identifier: MIT */
/*
 * The symbols of an ELF file, each made at its first lookup. A large program has a hundred thousand
 * symbols, and its report shows a thousand: names, aliases and ends of the others are never read.
 * Only a sorted array of addresses is made at once.
 *
 * The results are those of a table that is made of all symbols at once (elf_load). Where symbols
 * lie inside others, the name of an address depends on all symbols that were added before: then the
 * whole tree is made (elf_places.h).
 */
#ifndef SYMBOL_TABLE_ELF_TABLE_H
#define SYMBOL_TABLE_ELF_TABLE_H

#include "symbol/elf/elf_symbols.h"

/* Makes a table of the same files as elf_load() takes, without any symbol yet. The bytes of all
 * three files must stay until the table is released; the structs elf_file need not. */
void elf_table_make(struct symbol_table *t, const struct elf_file *f,
		    const struct elf_file *dynamic, const struct elf_file *runtime,
		    shown_name_fn shown, void *ctx);
/* Caches the names of addresses that several symbols cover, under that build-id, in a cache of
 * cache_size bytes (symbol/cache/covered.h); 0: there is no cache. how: whatever else the choice of
 * names depends on. */
void elf_table_keep(struct symbol_table *t, const struct build_id *id, uint32_t how,
		    uint64_t cache_size);
void elf_table_free(struct elf_table *e);

/* The i-th symbol in the order of addresses, made if need be. For any thread. */
const struct symbol *elf_table_at(const struct symbol_table *t, size_t i);
const struct symbol *elf_table_find(const struct symbol_table *t, uint64_t address);

#endif
