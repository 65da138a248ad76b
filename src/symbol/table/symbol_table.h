/* SPDX-License-Identifier: MIT */
/*
 * From symbols as they come to an array that can be searched: sorted by address, one an address,
 * each with an end. Ties are decided as perf decides them, so that both give one name.
 */
#ifndef SYMBOL_SYMBOL_TABLE_H
#define SYMBOL_SYMBOL_TABLE_H

#include "symbol/dso.h"

enum symbol_ends {
	ENDS_BY_NEXT,	/* a symbol of size 0 ends where the next one starts */
	ENDS_BY_MODULE, /* kallsyms: but the kernel's never in a module nor the other way round
			 * (symbol.index: 0 is the kernel) */
};

/* A name as it is shown, to be freed; NULL when it is shown as it is. */
typedef char *(*shown_name_fn)(void *ctx, const char *name);

/* A symbol while there are many: where it lies, and which one it is. */
struct symbol_key {
	uint64_t start;
	uint32_t id;
	uint32_t size; /* UINT32_MAX: that, or more */
};
/* Sorts by start, equal ones keep their order. The sorted ones are in keys or in other, of the same
 * size: in the one that is returned. */
struct symbol_key *symbol_keys_sort(struct symbol_key *keys, struct symbol_key *other, size_t n);

/* Sorts by start; equal ones keep their order. */
void symbol_table_sort(struct symbol_table *t);
/* Sorts, gives every symbol an end, keeps the best of those with equal start. May be called again
 * after more symbols were added. */
void symbol_table_finish(struct symbol_table *t, enum symbol_ends ends, shown_name_fn shown,
			 void *ctx);
/* Makes it ready for look-ups, after symbols were added that need no such treatment (they may
 * overlap others). */
void symbol_table_seal(struct symbol_table *t);
/* The symbol at that place: not all of .at need to be there before somebody asks. */
const struct symbol *symbol_table_at(const struct symbol_table *t, size_t i);
const struct symbol *symbol_table_find(const struct symbol_table *t, uint64_t address);
void symbol_table_release(struct symbol_table *t);

/* Where the last symbol of a table ends that has no size. */
uint64_t symbol_last_end(uint64_t start);
/* Which of two symbols that start at one address stands for it: true for a. */
bool symbol_better(const struct symbol *a, const struct symbol *b, shown_name_fn shown, void *ctx);

#endif
