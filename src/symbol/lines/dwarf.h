/* SPDX-License-Identifier: MIT */
/*
 * Reads the lines and inlined functions of a file with debug information, by libdw.
 *
 * The index maps addresses to compilation units; it is made once and read by any thread. A reader
 * is for one thread, because libdw keeps state. It reads the lines and functions of a unit at the
 * first lookup in that unit.
 */
#ifndef SYMBOL_LINES_DWARF_H
#define SYMBOL_LINES_DWARF_H

#include "symbol/lines/lines.h"

#define DWARF_NO_UNIT SIZE_MAX

struct dwarf_index;
struct dwarf_reader;

/* Opens a file and makes its index. NULL: it has no debug information, or libdw cannot read it. */
struct dwarf_index *dwarf_index_open(const char *path);
void dwarf_index_free(struct dwarf_index *x);
/* The number of the unit that covers a virtual address; DWARF_NO_UNIT: none does. */
size_t dwarf_index_unit(const struct dwarf_index *x, uint64_t vaddr);

/* Makes a reader. The index must outlive it. */
struct dwarf_reader *dwarf_reader_new(const struct dwarf_index *x);
void dwarf_reader_free(struct dwarf_reader *r);
/* Adds the levels of a virtual address of a unit to out, innermost first. Returns how many. Strings
 * belong to the reader. */
size_t dwarf_reader_find(struct dwarf_reader *r, size_t unit, uint64_t vaddr,
			 struct line_levels *out);

#endif
