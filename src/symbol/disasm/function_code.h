/* SPDX-License-Identifier: MIT */
/* Finds the bytes of a function, and the processor that they are for. */
#ifndef SYMBOL_FUNCTION_CODE_H
#define SYMBOL_FUNCTION_CODE_H

#include "symbol/disasm/insn.h"
#include "symbol/dso_private.h"

struct function_code {
	struct mapped file;	/* the JIT's dump that p points into */
	struct elf_image image; /* the ELF file that p points into */
	bool has_image;
	uint8_t *own; /* the bytes that p points into, read from a core file; or NULL */
	/* of the ELF file, owned by the dso; NULL: there is none that objdump could read */
	const char *path;
	const uint8_t *p;    /* the function's first byte */
	size_t n;	     /* at most the function's size; less in a truncated file */
	uint64_t vaddr;	     /* virtual address of that byte in the file and in its disassembly */
	char section[ELF_NAME]; /* name of its section; "": none */
	const struct insn_machine *machine; /* NULL: not known */
};

/* Returns 0, or -1 with *err: no file has the code. function_code_release() is needed after 0
 * only. */
int function_code_open(struct function_code *c, struct dso *dso, const struct symbol *sym,
		       struct err *err);
void function_code_release(struct function_code *c);

#endif
