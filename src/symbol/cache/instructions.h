/* SPDX-License-Identifier: MIT */
/*
 * Caches the texts of a function's instructions in a file of the cache (entry.h). Its name is
 * "asm-HASH" (XXH3). The hash is of all that the texts depend on: the code, its address, the
 * processor and the assembler's dialect. So an entry that is found belongs to this function. Its
 * content, for each instruction:
 *
 *   size u32 (bytes of code), length u32, text
 */
#ifndef SYMBOL_CACHE_INSTRUCTIONS_H
#define SYMBOL_CACHE_INSTRUCTIONS_H

#include "base/buf.h"
#include "base/cursor.h"
#include "os/files/mapped.h"

/* All zero is valid, and caches nothing. */
struct kept_instructions {
	uint64_t max; /* most bytes of the cache; 0: there is no cache */
	char name[24];
	struct mapped bytes;
	struct cursor at; /* the next instruction, when .found */
	bool found;
	struct buf news; /* the new entry, when it was not found */
};

/* Looks for the entry of n bytes of code at that address. */
void kept_instructions_open(struct kept_instructions *k, const void *code, size_t n, uint64_t vaddr,
			    const char *machine, const char *dialect, uint64_t max);
/* When .found: appends the next instruction's text and returns its size, not 0. */
uint32_t kept_instructions_next(struct kept_instructions *k, struct buf *out);
void kept_instructions_add(struct kept_instructions *k, uint32_t size, const char *text, size_t n);
/* Stores the instructions that were added when they are those of the whole function (whole).
 * Releases k. */
void kept_instructions_close(struct kept_instructions *k, bool whole);

#endif
