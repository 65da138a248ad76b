/* SPDX-License-Identifier: MIT */
/*
 * Finds which of several symbols that cover an address names it.
 *
 * Symbols can lie inside others: a label in a hand-written function, a linkage table inside "_init"
 * when that has no size. perf keeps symbols in a red-black tree, and takes the first one on the way
 * down that covers the address. So the result depends on how the tree grew. To give the same names,
 * the tree is grown here in the same way, from the order in which symbols were added. That is done
 * only for files that have such symbols.
 */
#ifndef SYMBOL_SYMBOL_TREE_H
#define SYMBOL_SYMBOL_TREE_H

#include "symbol/dso.h"

/* Records that the symbols of t from index first on were added, in this order. Numbers them
 * (.index). */
void symbol_history_add(struct symbol_history *h, struct symbol_table *t, size_t first);
/* Records that the symbol with that number was dropped in favour of another one with the same
 * start. */
void symbol_history_erase(struct symbol_history *h, uint32_t index, uint32_t for_index);
struct symbol_history *symbol_history_new(void);
void symbol_history_free(struct symbol_history *h);

/* Grows the tree. t must be sorted and hold the symbols that its history left. */
struct symbol_tree *symbol_tree_new(struct symbol_table *t);
const struct symbol *symbol_tree_find(const struct symbol_table *t, uint64_t address);
void symbol_tree_free(struct symbol_tree *tree);

#endif
