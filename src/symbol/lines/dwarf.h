/* SPDX-License-Identifier: MIT */
/*
 * The lines and inlined functions of a file with debug information, by libdw.
 *
 * Opening reads which unit covers which addresses; a unit's lines and functions are read when an
 * address of it is asked for. One thread a file: libdw keeps state.
 */
#ifndef SYMBOL_LINES_DWARF_H
#define SYMBOL_LINES_DWARF_H

#include "symbol/lines/lines.h"

struct dwarf_file;

/* NULL: it has no debug information, or libdw cannot read it. */
struct dwarf_file *dwarf_file_open(const char *path);
void dwarf_file_free(struct dwarf_file *f);
/* The levels of a virtual address, innermost first, added to out; how many. Strings belong to the file. */
size_t dwarf_file_find(struct dwarf_file *f, uint64_t vaddr, struct line_levels *out);

#endif
