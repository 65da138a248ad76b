/* SPDX-License-Identifier: MIT */
/*
 * Which of several symbols that cover an address names it.
 *
 * Symbols can lie inside others: a label in a hand-written function, a linkage table inside "_init"
 * when that has no size. perf keeps symbols in a red-black tree and takes the first on the way down
 * that covers the address, so the answer depends on how the tree grew. To give the same names, the
 * tree is grown here in the same way, from the order in which symbols came, but only for the files
 * that have such symbols.
 */
#ifndef SYMBOL_SYMBOL_TREE_H
#define SYMBOL_SYMBOL_TREE_H

#include "symbol/dso.h"

/* Remembers the order of t's symbols, and numbers them (.index) by it. */
struct symbol_history *symbol_history_new(struct symbol_table *t);
/* The symbol of that number was dropped. h may be NULL. */
void symbol_history_erase(struct symbol_history *h, uint32_t index);
/* What stands in t from place first on came after the others: numbers it. h may be NULL. */
void symbol_history_add(const struct symbol_history *h, struct symbol_table *t, size_t first);
void symbol_history_free(struct symbol_history *h);

/* t is sorted; it holds what is left of the history, and symbols that were added after that. */
struct symbol_tree *symbol_tree_new(struct symbol_table *t);
const struct symbol *symbol_tree_find(const struct symbol_table *t, uint64_t address);
void symbol_tree_free(struct symbol_tree *tree);

#endif
