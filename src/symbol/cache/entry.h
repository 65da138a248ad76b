/* SPDX-License-Identifier: MIT */
/*
 * The cache of what costs much to find out: files in a folder of the user's own. Each is a frame
 * with something in it, all numbers little-endian:
 *
 *   magic [8], checksum u64 (XXH3 of all that follows it), version u32, the content
 *
 * What is damaged, or of another version, is as if it weren't there. Nothing here fails loudly: the
 * cache is not needed.
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

/* A cursor over the content, when the frame is sound; false: nothing that can be used. */
bool cache_entry_open(const void *p, size_t n, const struct cache_form *form,
		      struct cursor *content);
/* The frame at the beginning of an empty buffer; the content is added; then its checksum is set. */
void cache_entry_begin(struct buf *b, const struct cache_form *form);
void cache_entry_end(struct buf *b);
void cache_put_u32(struct buf *b, uint32_t v);
void cache_put_u64(struct buf *b, uint64_t v);
struct cursor cache_cursor(const void *p, size_t n);

/* The folder: $XDG_CACHE_HOME/perf/lines, else $HOME/.cache/perf/lines; to be freed, NULL:
 * no home, or one that is not there (/nonexistent of a system's user): it is not made. */
char *cache_dir(void);
/* Removes all of it. 0, or -1 with *err. */
int cache_purge(struct err *err);

#endif
