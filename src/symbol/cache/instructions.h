/* SPDX-License-Identifier: MIT */
/*
 * The texts of a function's instructions, kept for the next time in a file of the cache (entry.h).
 * Its name is "asm-HASH" (XXH3) of all that they follow from: the code, its address, the processor
 * and the assembler's dialect; so one that is found cannot be another function's. Its content, for
 * each instruction:
 *
 *   size u32 (bytes of code), length u32, text
 */
#ifndef SYMBOL_CACHE_INSTRUCTIONS_H
#define SYMBOL_CACHE_INSTRUCTIONS_H

#include "base/buf.h"
#include "base/cursor.h"
#include "os/mapped.h"

/* All zero is valid, and keeps nothing. */
struct kept_instructions {
	uint64_t max; /* bytes that the cache may take; 0: there is none */
	char name[24];
	struct mapped bytes;
	struct cursor at; /* of the next one, when .found */
	bool found;
	struct buf news; /* what to keep, when it was not found */
};

/* n bytes of code at that address. */
void kept_instructions_open(struct kept_instructions *k, const void *code, size_t n, uint64_t vaddr,
			    const char *machine, const char *dialect, uint64_t max);
/* When they were found: appends the next one's text and returns its size, not 0. */
uint32_t kept_instructions_next(struct kept_instructions *k, struct buf *out);
void kept_instructions_add(struct kept_instructions *k, uint32_t size, const char *text, size_t n);
/* Stores what was added; whole: all of the function was. */
void kept_instructions_close(struct kept_instructions *k, bool whole);

#endif
