/* SPDX-License-Identifier: MIT */
/*
 * Debug information of relocatable files (kernel modules) has holes where addresses and places in
 * other sections belong. They are filled here as if the module lay at LINES_MODULE_BASE.
 */
#ifndef SYMBOL_LINES_RELOCATE_H
#define SYMBOL_LINES_RELOCATE_H

#include "symbol/elf/elf_file.h"

/* Not 0, which is where what the linker leaves out begins. */
#define LINES_MODULE_BASE 0x1000ull

struct relocator {
	const struct elf_file *f;
	uint64_t *places;   /* one a section */
	uint32_t *fillings; /* which section says what belongs into this one; 0: none */
	size_t left;	    /* holes that the file can have */
};

void relocator_init(struct relocator *r, const struct elf_file *f);
/* Fills the holes of one section, whose bytes (as they are after expanding) lie at p. */
void relocator_fill(struct relocator *r, size_t section, uint8_t *p, size_t n);
void relocator_release(struct relocator *r);

#endif
