/* SPDX-License-Identifier: MIT */
/*
 * The running kernel's symbols as a file of the cache: a finished symbol table, in its order, which
 * is searched in place. In its frame (symbol/cache/entry.h):
 *
 *   header    symbols u32, bytes of strings u32, size of the build-id u32, build-id [20],
 *             boot id [36], addresses of _text u64 and _stext u64
 *   starts    u64 each, ascending
 *   names     u32 each: offsets into the strings
 *   kinds     u8 each: STB_* << 4 | STT_*
 *   strings   each ends with a zero byte
 *
 * A symbol ends where the next one starts, the last one with its page. A struct symbol is made at
 * its first lookup: most never are.
 */
#ifndef SYMBOL_CACHE_STORED_SYMBOLS_H
#define SYMBOL_CACHE_STORED_SYMBOLS_H

#include "os/files/mapped.h"
#include "symbol/dso.h"

#define BOOT_ID 36 /* characters */

/* A kernel, and its addresses until the next boot. */
struct kernel_key {
	struct build_id build_id;
	char boot_id[BOOT_ID + 1];
	uint64_t text, stext; /* 0: the kernel doesn't list it */
};

/* Writes an entry for this table; false: it cannot be stored. */
bool stored_symbols_bytes(const struct symbol_table *t, const struct kernel_key *key,
			  struct buf *out);
/* Opens a table on the bytes, which it owns from then on; false: they are no valid entry for the
 * key. */
bool stored_symbols_take(struct symbol_table *t, struct mapped bytes, const struct kernel_key *key);
void stored_symbols_free(struct stored_symbols *s);
/* Releases the pages that were touched. */
void stored_symbols_give_back(const struct stored_symbols *s);

/* The i-th symbol, made if need be. For any thread. */
const struct symbol *stored_symbols_at(const struct symbol_table *t, size_t i);
/* found: the first symbol of each of the n names; NULL: there is none. Makes no other symbol. */
void stored_symbols_named(const struct symbol_table *t, const char *const *names, size_t n,
			  const struct symbol **found);
const struct symbol *stored_symbols_find(const struct symbol_table *t, uint64_t address);

#endif
