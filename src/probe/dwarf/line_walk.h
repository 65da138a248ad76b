/* SPDX-License-Identifier: MIT */
/* The source lines of a unit or a function with the addresses where their code begins. */
#ifndef PROBE_DWARF_LINE_WALK_H
#define PROBE_DWARF_LINE_WALK_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* Not 0 stops the walk, and is what it returns. */
typedef int (*line_walk_fn)(const char *file, int line, Dwarf_Addr address, void *ctx);

/* All statements of a unit, or of a function without what was inlined into it, and the lines where
 * functions are declared and inlined ones called. */
int line_walk(Dwarf_Die *root, line_walk_fn fn, void *ctx);
/* The line that best stands for the code at an address: where a function begins,
 * its declaration. */
bool line_of_address(Dwarf_Die *unit, Dwarf_Addr address, const char **file, int *line);

#endif
