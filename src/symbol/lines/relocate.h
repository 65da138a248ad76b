/* SPDX-License-Identifier: MIT */
/*
 * Relocates the debug information of relocatable files (kernel modules), whose references to
 * addresses and to other sections are not filled in. They are filled in as if the module were
 * loaded at LINES_MODULE_BASE.
 */
#ifndef SYMBOL_LINES_RELOCATE_H
#define SYMBOL_LINES_RELOCATE_H

#include "symbol/elf/elf_file.h"

/* Not 0: ranges of code that the linker dropped start there. */
#define LINES_MODULE_BASE 0x1000ull

struct relocator {
	const struct elf_file *f;
	uint64_t *places;   /* offsets of the sections (elf_module_places) */
	uint32_t *fillings; /* by section: the section with its relocations; 0: none */
	size_t left;	    /* relocations that may still be applied */
};

void relocator_init(struct relocator *r, const struct elf_file *f);
/* Applies the relocations of one section, whose expanded bytes are at p. */
void relocator_fill(struct relocator *r, size_t section, uint8_t *p, size_t n);
void relocator_release(struct relocator *r);

#endif
