/* SPDX-License-Identifier: MIT */
/*
 * Go's table of functions (.gopclntab), which its runtime needs for its own stack traces: stripped
 * programs have it, too. It names all functions and says how large their frames are at each
 * address.
 *
 * Versions of Go 1.2, 1.16, 1.18 and 1.20. Nothing is built; it is searched where it lies, so the
 * file's bytes are borrowed and must outlive it. It may be damaged: what makes no sense is not
 * there.
 *
 * Source: Go's src/internal/abi/symtab.go, src/runtime/symtab.go and src/debug/gosym/pclntab.go, as
 * descriptions of the format.
 */
#ifndef SYMBOL_GO_TABLE_H
#define SYMBOL_GO_TABLE_H

#include "symbol/elf/elf_file.h"
#include "symbol/table/symbol_table.h"

struct go_table {
	const struct elf_file *elf;
	struct cursor whole;
	uint8_t version;      /* enum, private */
	uint8_t step;	      /* what addresses are multiples of */
	uint8_t word;	      /* bytes of an address */
	uint8_t index_word;   /* of a number in the index */
	uint64_t count;	      /* of functions */
	uint64_t text;	      /* what the index's addresses are relative to */
	size_t names, frames, index; /* parts of the table: offsets from its begin */
};

struct go_function {
	uint64_t start, end; /* virtual addresses */
	const char *name;
	uint32_t frames; /* where the sizes of its frames are described */
	bool outermost;	 /* nothing called it */
	bool switches;	 /* it goes to another stack: what called it isn't on this one */
};

/* False: there is no such table, or none that can be read. */
bool go_table_open(struct go_table *t, const struct elf_file *elf);
/* The function at an address. False: there is none. */
bool go_table_find(const struct go_table *t, uint64_t vaddr, struct go_function *f);
/* How far the stack pointer is below its value before the call, without the return address. */
bool go_table_frame(const struct go_table *t, const struct go_function *f, uint64_t vaddr,
		    int32_t *size);
/* Adds all functions, at file offsets. */
void go_table_symbols(const struct go_table *t, struct symbol_table *symbols);

#endif
