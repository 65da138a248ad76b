/* SPDX-License-Identifier: MIT */
/*
 * Go's table of functions (.gopclntab), which its runtime needs for its own stack traces and which
 * is kept in stripped programs. It names all functions and says how large their frames are at each
 * address.
 *
 * Supports the formats of Go 1.2, 1.16, 1.18 and 1.20. No index is built: the table is searched in
 * place. The file's bytes are borrowed and must outlive it. The table may be damaged: entries that
 * make no sense are treated as missing.
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
	uint8_t step;	      /* addresses are multiples of it, in bytes */
	uint8_t word;	      /* bytes of an address */
	uint8_t index_word;   /* bytes of a number in the index */
	uint64_t count;	      /* number of functions */
	uint64_t text;	      /* address that those in the index are relative to */
	size_t names, frames, index; /* offsets of the table's parts from its start */
};

struct go_function {
	uint64_t start, end; /* virtual addresses */
	const char *name;
	uint32_t frames; /* offset of the description of its frame sizes */
	bool outermost;	 /* it has no caller */
	bool switches;	 /* it switches to another stack: its caller is not on this one */
};

/* False: there is no such table, or none that can be read. */
bool go_table_open(struct go_table *t, const struct elf_file *elf);
/* The function at an address. False: there is none. */
bool go_table_find(const struct go_table *t, uint64_t vaddr, struct go_function *f);
/* The number of bytes from the stack pointer up to the return address (on machines with a return
 * register: to its value before the call). False: not known. */
bool go_table_frame(const struct go_table *t, const struct go_function *f, uint64_t vaddr,
		    int32_t *size);
/* Adds all functions, placed at file offsets. */
void go_table_symbols(const struct go_table *t, struct symbol_table *symbols);

#endif
