/* SPDX-License-Identifier: MIT */
/*
 * What was found out about a file's addresses, kept for the next time: a file DIR/BUILD-ID for each
 * file with debug information. In its frame (symbol/cache/entry.h):
 *
 *   header    places u32, levels u32, bytes of strings u32, identity u64, size of the build-id u32,
 *             build-id [20]
 *   places    {address u64, first level u32, levels u32}, by address, each once
 *   levels    {function u32, file u32, line u32}: offsets into the strings, 0: unknown
 *   strings   each ends with a zero byte; the first one is empty
 *
 * An address is virtual, as DWARF speaks of it; one without levels is known to have none. The
 * identity tells the debug information from another one of the same build-id; 0: whatever it was.
 * What is damaged, or of another version or identity, is as if it weren't there, and is written
 * anew.
 */
#ifndef SYMBOL_LINES_CACHE_H
#define SYMBOL_LINES_CACHE_H

#include "base/buf.h"
#include "os/mapped.h"
#include "symbol/lines/lines.h"

struct line_cache_key {
	struct build_id build_id;
	uint64_t identity;
};

/* An entry of it, read. All zero is valid and empty. */
struct line_cache {
	struct mapped bytes;
	const uint8_t *places, *levels;
	const char *strings;
	uint32_t n_places, n_levels, n_strings;
};

/* Takes what bytes hold, which it owns from then on; false: nothing that can be used. */
bool line_cache_take(struct line_cache *c, struct mapped bytes, const struct line_cache_key *key);
void line_cache_release(struct line_cache *c);
/* Is the address known? Then its levels, added to out. Strings belong to the cache. */
bool line_cache_find(const struct line_cache *c, uint64_t vaddr, struct line_levels *out);

/* What is new. */
struct line_cache_news {
	VEC(struct line_cache_place {
		uint64_t vaddr;
		size_t first;
		uint32_t n;
	}) places;
	struct line_levels levels;
};
void line_cache_news_release(struct line_cache_news *n);
/* The bytes of an entry that holds what c does and what is new. Sorts the news. False: they would
 * be too many. */
bool line_cache_bytes(const struct line_cache *c, struct line_cache_news *news,
		      const struct line_cache_key *key, struct buf *out);

/* From and into a folder; nothing is told of failures: the cache is not needed. */
bool line_cache_load(struct line_cache *c, const char *dir, const struct line_cache_key *key);
/* Beside what another program has put there meanwhile. The folder is kept below max bytes. */
void line_cache_store(const char *dir, const struct line_cache_key *key,
		      struct line_cache_news *news, uint64_t max);

#endif
