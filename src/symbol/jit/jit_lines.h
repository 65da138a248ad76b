/* SPDX-License-Identifier: MIT */
/* The source lines of code that a JIT made, read from its dump. */
#ifndef SYMBOL_JIT_JIT_LINES_H
#define SYMBOL_JIT_JIT_LINES_H

#include "symbol/dso.h"

/* The place of a line table in the dump; size 0: there is none. */
struct jit_line_table {
	uint64_t offset;
	uint32_t size, n; /* bytes, and number of lines that the dump states */
	/* address of the code's first byte in the table, even after the code was moved */
	uint64_t base;
};

struct jit_line {
	uint64_t at; /* offset from the code's first byte */
	uint32_t line, discriminator;
	uint32_t order; /* position in the dump */
	const char *file;
};

struct jit_lines {
	struct buf bytes; /* names of files point into it */
	VEC(struct jit_line); /* sorted by .at; of equal ones the last is valid */
};

/* Reads the valid part of a table. Lines outside of the code (of code_size bytes) are left out.
 * False: there are no lines. *lines must be zeroed. */
bool jit_lines_read(struct jit_lines *lines, int fd, const struct jit_line_table *table, bool swap,
		    uint64_t code_size);
/* The line at an offset from the code's first byte; NULL: it is before the first line. */
const struct jit_line *jit_lines_find(const struct jit_lines *lines, uint64_t at);
void jit_lines_release(struct jit_lines *lines);

/* Sections .debug_abbrev, .debug_info and .debug_line (DWARF 4) of code at an address. */
struct jit_dwarf {
	struct buf abbrev, info, line;
};
void jit_dwarf_build(struct jit_dwarf *d, const struct jit_lines *lines, uint64_t address,
		     uint64_t size);
void jit_dwarf_release(struct jit_dwarf *d);

#endif
