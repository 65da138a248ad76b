/* SPDX-License-Identifier: MIT */
/*
 * The lines cache: a file DIR/BUILD-ID for each file with debug information, with the lines of the
 * addresses that were looked up before. In its frame (symbol/cache/entry.h):
 *
 *   header    places u32, levels u32, bytes of strings u32, identity u64, size of the build-id u32,
 *             build-id [20]
 *   places    {address u64, first level u32, levels u32}, by address, each once
 *   levels    {function u32, file u32, line u32}: offsets into the strings, 0: unknown
 *   strings   each ends with a zero byte; the first one is empty
 *
 * Addresses are virtual, as in DWARF. An address without levels is known to have none. The identity
 * tells the debug information from another one of the same build-id; a key with identity 0 matches
 * any. An entry that is damaged, or of another version or identity, is treated as missing, and is
 * written anew.
 */
#ifndef SYMBOL_LINES_CACHE_H
#define SYMBOL_LINES_CACHE_H

#include "base/buf.h"
#include "os/files/mapped.h"
#include "symbol/lines/lines.h"

struct line_cache_key {
	struct build_id build_id;
	uint64_t identity;
};

/* A cache entry that was read. All zero is valid and empty. */
struct line_cache {
	struct mapped bytes;
	const uint8_t *places, *levels;
	const char *strings;
	uint32_t n_places, n_levels, n_strings;
};

/* Opens an entry from bytes, which it owns from then on; false: they are no valid entry for the
 * key. */
bool line_cache_take(struct line_cache *c, struct mapped bytes, const struct line_cache_key *key);
void line_cache_release(struct line_cache *c);
/* True when the address is in the entry; its levels are then added to out. Strings belong to the
 * cache. */
bool line_cache_find(const struct line_cache *c, uint64_t vaddr, struct line_levels *out);

/* New places, to be added to an entry. */
struct line_cache_news {
	VEC(struct line_cache_place {
		uint64_t vaddr;
		size_t first;
		uint32_t n;
	}) places;
	struct line_levels levels;
};
void line_cache_news_release(struct line_cache_news *n);
/* Writes the bytes of an entry with the places of c and the new ones. Sorts the news. False: the
 * entry would be too large. */
bool line_cache_bytes(const struct line_cache *c, struct line_cache_news *news,
		      const struct line_cache_key *key, struct buf *out);

/* Reads an entry from a folder. Failures are not reported: the cache is optional. */
bool line_cache_load(struct line_cache *c, const char *dir, const struct line_cache_key *key);
/* Adds the news to the entry that is in the folder now, which another process may have changed. The
 * folder is kept below max bytes. */
void line_cache_store(const char *dir, const struct line_cache_key *key,
		      struct line_cache_news *news, uint64_t max);

#endif
