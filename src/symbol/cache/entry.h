/* SPDX-License-Identifier: MIT */
/*
 * The cache of results that are expensive to compute: files in a folder of the user's own. Each
 * file is a frame around its content. All numbers are little-endian:
 *
 *   magic [8], checksum u64 (XXH3 of all that follows it), version u32, the content
 *
 * An entry that is damaged, or of another version, is treated as missing. Failures are not
 * reported: the cache is optional.
 */
#ifndef SYMBOL_CACHE_ENTRY_H
#define SYMBOL_CACHE_ENTRY_H

#include "base/buf.h"
#include "base/cursor.h"
#include "base/err.h"

#define CACHE_FRAME 20 /* bytes */

struct cache_form {
	char magic[9];
	uint32_t version;
};

/* Opens an entry: *content is a cursor over its content. False: the frame is damaged or of another
 * form. */
bool cache_entry_open(const void *p, size_t n, const struct cache_form *form,
		      struct cursor *content);
/* Writes a frame to an empty buffer. The caller then appends the content, and calls
 * cache_entry_end() to set the checksum. */
void cache_entry_begin(struct buf *b, const struct cache_form *form);
void cache_entry_end(struct buf *b);
void cache_put_u32(struct buf *b, uint32_t v);
void cache_put_u64(struct buf *b, uint64_t v);
struct cursor cache_cursor(const void *p, size_t n);

/* The folder: $XDG_CACHE_HOME/perf/lines, else $HOME/.cache/perf/lines. To be freed. NULL: no home,
 * or a home that does not exist (/nonexistent of a system user), which is not created. */
char *cache_dir(void);
/* Removes the cache. 0, or -1 with *err. */
int cache_purge(struct err *err);

#endif
