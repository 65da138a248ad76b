/* SPDX-License-Identifier: MIT */
/*
 * Checksums of a file's data, one for each chunk: they detect damage that leaves the records'
 * structure whole. They are the last of the extensions, at the end of the file (doc/format.md): u32
 * version (1), u32 log2 of the chunk's size, u64 offset and u64 size of the data, u64 XXH3 of each
 * chunk; then u64 size of all that, u64 CHECKSUM_MAGIC. Written when a recording ends as it should,
 * read by reader.c.
 */
#ifndef DATA_CHECKSUM_H
#define DATA_CHECKSUM_H

#include "base/buf.h"
#include "base/cursor.h"
#include "base/hash.h"

#include <stdbool.h>

#define CHECKSUM_CHUNK_LOG 18
#define CHECKSUM_MAGIC 0x534d555346524550ull /* "PERFSUMS" */

/* The checksums of a file that is being written. All zero: no data yet. */
struct checksum {
	struct hash_stream *stream; /* hashes the last chunk, which is not full */
	uint64_t in_chunk, size;    /* bytes in that chunk, and in all */
	VEC(uint64_t) sums;
};

void checksum_add(struct checksum *c, const void *p, size_t n);
/* Cuts the data to size bytes: takes back what was added after them. last: the checksum_rest(size)
 * bytes that remain of the chunk that is cut. */
void checksum_cut(struct checksum *c, uint64_t size, const void *last);
/* How many bytes checksum_cut() needs at last. */
static inline size_t checksum_rest(uint64_t size)
{
	return size & ((1u << CHECKSUM_CHUNK_LOG) - 1);
}
/* Appends the whole extension. */
void checksum_put(struct checksum *c, uint64_t offset, struct buf *out);
void checksum_release(struct checksum *c);

/* The checksums of a file that was read. */
struct checksum_table {
	uint64_t offset, size, chunk; /* place and bytes of the data; bytes of a chunk, 0: there is
				       * no table */
	const uint8_t *sums;	      /* in the byte order of the recording */
	bool swap;
};

/* Finds the checksums of a file of n bytes, which is in memory whole. 1; 0: it has none; -1: they
 * are damaged. */
int checksum_table_read(struct checksum_table *t, const uint8_t *file, uint64_t n, bool swap);
/* True when n bytes at p are what was written as chunk i. */
bool checksum_holds(const struct checksum_table *t, uint64_t i, const void *p, size_t n);

#endif
