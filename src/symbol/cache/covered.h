/* SPDX-License-Identifier: MIT */
/*
 * Caches the names of addresses that several symbols of a file cover. Without it, all symbols of a
 * large program must be compared and put into a tree, for few such addresses. In its frame
 * (symbol/cache/entry.h):
 *
 *   header    runs u32, size of the build-id u32, build-id [20], checksum of where the symbols lie
 *             u64, how names were compared u32
 *   runs      start u64, end u64, place u32 (UINT32_MAX: no symbol); ascending, disjoint
 */
#ifndef SYMBOL_CACHE_COVERED_H
#define SYMBOL_CACHE_COVERED_H

#include "os/files/mapped.h"
#include "symbol/dso.h"

#define COVERED_MAX (1u << 16) /* runs; more are not cached */

struct covered_key {
	struct build_id build_id; /* .size 0: nothing is cached */
	uint64_t symbols;
	uint32_t how;
};

struct covered_run {
	uint64_t start, end;
	uint32_t place;
};

/* The runs that were cached; all zero: none. */
struct covered {
	struct mapped bytes;
	const uint8_t *runs;
	uint32_t n;
};

bool covered_load(struct covered *c, const char *dir, const struct covered_key *key);
void covered_release(struct covered *c);
/* The place that is cached for the address; false: none is. */
bool covered_find(const struct covered *c, uint64_t address, uint32_t *place);
/* The folder is kept below max bytes. */
void covered_store(const char *dir, const struct covered_key *key, const struct covered_run *runs,
		   size_t n, uint64_t max);

#endif
