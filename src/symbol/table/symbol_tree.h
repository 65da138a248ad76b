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

/* Notes that the symbols of t from place first on have come, in this order; numbers them (.index).
 */
void symbol_history_add(struct symbol_history *h, struct symbol_table *t, size_t first);
/* Notes that the symbol of that number was dropped for another one with the same start. */
void symbol_history_erase(struct symbol_history *h, uint32_t index, uint32_t for_index);
struct symbol_history *symbol_history_new(void);
void symbol_history_free(struct symbol_history *h);

/* t is sorted and holds what is left of its history. */
struct symbol_tree *symbol_tree_new(struct symbol_table *t);
const struct symbol *symbol_tree_find(const struct symbol_table *t, uint64_t address);
void symbol_tree_free(struct symbol_tree *tree);

#endif
