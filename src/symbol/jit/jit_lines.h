/* SPDX-License-Identifier: MIT */
/* Lines of code that a JIT made, as its dump tells of them. */
#ifndef SYMBOL_JIT_JIT_LINES_H
#define SYMBOL_JIT_JIT_LINES_H

#include "symbol/dso.h"

/* Where the dump has the lines of a piece of code; size 0: nowhere. */
struct jit_line_table {
	uint64_t offset;
	uint32_t size, n; /* bytes, and lines that there should be */
	uint64_t base; /* what its addresses call the code's first byte, wherever it was moved later
			*/
};

struct jit_line {
	uint64_t at; /* from the code's first byte on */
	uint32_t line, discriminator;
	uint32_t order; /* in the dump */
	const char *file;
};

struct jit_lines {
	struct buf bytes; /* what files point into */
	VEC(struct jit_line); /* by place; of one place the last holds */
};

/* Reads what there is of a table; lines outside of code of that size are left out. False: there are
 * none. */
bool jit_lines_read(struct jit_lines *lines, int fd, const struct jit_line_table *table, bool swap,
		    uint64_t code_size);
/* The line of a place; NULL: it lies before the first. */
const struct jit_line *jit_lines_find(const struct jit_lines *lines, uint64_t at);
void jit_lines_release(struct jit_lines *lines);

/* .debug_abbrev, .debug_info and .debug_line (DWARF 4) of code that lies at address. */
struct jit_dwarf {
	struct buf abbrev, info, line;
};
void jit_dwarf_build(struct jit_dwarf *d, const struct jit_lines *lines, uint64_t address,
		     uint64_t size);
void jit_dwarf_release(struct jit_dwarf *d);

#endif
