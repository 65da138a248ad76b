/* SPDX-License-Identifier: MIT */
/* All symbols of all dsos (top -D), in the layout of perf 6.1: a line for each dso; below it a line
 * for each symbol, with its addresses and its binding. */
#ifndef VIEW_TOP_SYMBOL_LISTS_H
#define VIEW_TOP_SYMBOL_LISTS_H

#include <stdio.h>

struct dso_set;

void symbol_lists_show(const struct dso_set *set, FILE *out);

#endif
