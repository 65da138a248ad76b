/* SPDX-License-Identifier: MIT */
/*
 * The running kernel's symbols as a file of the cache: what a finished table holds, in its order,
 * to be searched where it lies. In its frame (symbol/cache/entry.h):
 *
 *   header    symbols u32, bytes of strings u32, size of the build-id u32, build-id [20],
 *             boot id [36], addresses of _text u64 and _stext u64
 *   starts    u64 each, ascending
 *   names     u32 each: offsets into the strings
 *   kinds     u8 each: STB_* << 4 | STT_*
 *   strings   each ends with a zero byte
 *
 * A symbol ends where the next one starts, the last one with its page. struct symbol of it is made
 * when it is first asked for: most never are.
 */
#ifndef SYMBOL_CACHE_STORED_SYMBOLS_H
#define SYMBOL_CACHE_STORED_SYMBOLS_H

#include "os/mapped.h"
#include "symbol/dso.h"

#define BOOT_ID 36 /* characters */

/* Which kernel, and where it lies until the machine boots again. */
struct kernel_key {
	struct build_id build_id;
	char boot_id[BOOT_ID + 1];
	uint64_t text, stext; /* 0: the kernel doesn't list it */
};

/* An entry for this table; false: it isn't one that can be stored. */
bool stored_symbols_bytes(const struct symbol_table *t, const struct kernel_key *key,
			  struct buf *out);
/* Makes an empty table of the bytes, which it owns from then on; false: nothing that can
 * be used. */
bool stored_symbols_take(struct symbol_table *t, struct mapped bytes, const struct kernel_key *key);
void stored_symbols_free(struct stored_symbols *s);
/* Gives back the pages that were looked at. */
void stored_symbols_give_back(const struct stored_symbols *s);

/* The one at that place, made if need be; by any thread. */
const struct symbol *stored_symbols_at(const struct symbol_table *t, size_t i);
const struct symbol *stored_symbols_find(const struct symbol_table *t, uint64_t address);

#endif
