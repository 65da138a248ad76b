/* SPDX-License-Identifier: MIT */
/*
 * The lines and inlined functions of a file with debug information, by libdw.
 *
 * The index says which unit covers which addresses: made once, then read by any thread. A reader is
 * for one thread, since libdw keeps state; it reads a unit's lines and functions when an address of
 * that unit is asked for.
 */
#ifndef SYMBOL_LINES_DWARF_H
#define SYMBOL_LINES_DWARF_H

#include "symbol/lines/lines.h"

#define DWARF_NO_UNIT SIZE_MAX

struct dwarf_index;
struct dwarf_reader;

/* NULL: it has no debug information, or libdw cannot read it. */
struct dwarf_index *dwarf_index_open(const char *path);
void dwarf_index_free(struct dwarf_index *x);
/* The number of the unit that a virtual address belongs to. */
size_t dwarf_index_unit(const struct dwarf_index *x, uint64_t vaddr);

/* The index must outlive it. */
struct dwarf_reader *dwarf_reader_new(const struct dwarf_index *x);
void dwarf_reader_free(struct dwarf_reader *r);
/* The levels of a virtual address of a unit, innermost first, added to out; how many. Strings
 * belong to the reader. */
size_t dwarf_reader_find(struct dwarf_reader *r, size_t unit, uint64_t vaddr,
			 struct line_levels *out);

#endif
