/* SPDX-License-Identifier: MIT */
/*
 * Caches which units of a file's debug information answer a question that was asked before: which
 * of them have a function, or the code of a source file. The file is "units-BUILDID". In its frame
 * (symbol/cache/entry.h):
 *
 *   header    size of the build-id u32, build-id [20], identity u64, lists u32
 *   list      length of the question u32, the question, units u32, offset of each u64 (ascending);
 *             the latest question first
 *
 * The identity tells the debug information from another one of the same build-id.
 */
#ifndef SYMBOL_CACHE_UNIT_LISTS_H
#define SYMBOL_CACHE_UNIT_LISTS_H

#include "base/mem.h"
#include "symbol/dso.h"

#define UNIT_LISTS_MAX	  256	     /* questions; of more the oldest are dropped */
#define UNIT_LIST_MAX	  (1u << 16) /* units; a longer list is not cached */
#define UNIT_QUESTION_MAX 1024	     /* bytes */

struct unit_lists_key {
	struct build_id build_id; /* .size 0: nothing is cached */
	uint64_t identity;
};

/* All zero is valid and empty. */
struct unit_lists {
	struct arena arena;
	VEC(struct unit_list {
		const char *question;
		const uint64_t *units; /* offsets of their entries in .debug_info */
		size_t n;
	});
};

/* Loads what is cached; nothing when that is damaged, or of other debug information. */
void unit_lists_load(struct unit_lists *l, const char *dir, const struct unit_lists_key *key);
void unit_lists_release(struct unit_lists *l);
const struct unit_list *unit_lists_find(const struct unit_lists *l, const char *question);
/* Adds an answer; what is too large is left out. Both are copied. */
void unit_lists_add(struct unit_lists *l, const char *question, const uint64_t *units, size_t n);
/* The folder is kept below max bytes. */
void unit_lists_store(const struct unit_lists *l, const char *dir, const struct unit_lists_key *key,
		      uint64_t max);

#endif
