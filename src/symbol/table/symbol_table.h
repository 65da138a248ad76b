/* SPDX-License-Identifier: MIT */
/*
 * Makes a searchable array of unsorted symbols: sorted by address, one symbol an address, each with
 * an end. Ties are decided as in perf, so that both show the same name.
 */
#ifndef SYMBOL_SYMBOL_TABLE_H
#define SYMBOL_SYMBOL_TABLE_H

#include "symbol/dso.h"

enum symbol_ends {
	ENDS_BY_NEXT,	/* a symbol of size 0 ends where the next one starts */
	/* kallsyms: as ENDS_BY_NEXT, but a symbol of the kernel never ends at one of a module,
	 * nor the other way round (symbol.index: 0 is the kernel) */
	ENDS_BY_MODULE,
};

/* Returns the name to show, which the caller frees; NULL: show the name itself. */
typedef char *(*shown_name_fn)(void *ctx, const char *name);

/* A small stand-in for a symbol, for sorting: its start, and its id. */
struct symbol_key {
	uint64_t start;
	uint32_t id;
	uint32_t size; /* bytes; UINT32_MAX: that, or more */
};
/* Sorts by start; equal keys keep their order. other is scratch memory of the same size. Returns
 * the array that holds the result: keys or other. */
struct symbol_key *symbol_keys_sort(struct symbol_key *keys, struct symbol_key *other, size_t n);

/* Sorts by start; symbols with equal start keep their order. */
void symbol_table_sort(struct symbol_table *t);
/* Sorts, gives every symbol an end, and keeps the best of those with equal start. May be called
 * again after more symbols were added. */
void symbol_table_finish(struct symbol_table *t, enum symbol_ends ends, shown_name_fn shown,
			 void *ctx);
/* Makes the table ready for lookups. Symbols that were added since symbol_table_finish() are kept
 * as they are; they may overlap others. */
void symbol_table_seal(struct symbol_table *t);
/* The i-th symbol. Use this instead of .at[i], which may not be filled yet. */
const struct symbol *symbol_table_at(const struct symbol_table *t, size_t i);
const struct symbol *symbol_table_find(const struct symbol_table *t, uint64_t address);
void symbol_table_release(struct symbol_table *t);

/* The end of the last symbol of a table when it has no size. */
uint64_t symbol_last_end(uint64_t start);
/* True when a is the better of two symbols that start at one address. */
bool symbol_better(const struct symbol *a, const struct symbol *b, shown_name_fn shown, void *ctx);

#endif
