/* SPDX-License-Identifier: MIT */
/* The bytes of a function, wherever its dso has them, and for which processor they are. */
#ifndef SYMBOL_FUNCTION_CODE_H
#define SYMBOL_FUNCTION_CODE_H

#include "symbol/disasm/insn.h"
#include "symbol/dso_private.h"

struct function_code {
	struct mapped file;	/* what p points into, when it is a file of its own */
	struct elf_image image; /* the same of an ELF file */
	bool has_image;
	const char *path; /* of the ELF file, the dso's; NULL: it is none that others could read */
	const uint8_t *p;    /* the function's first byte */
	size_t n;	     /* not more than the function has; less in a file that was cut */
	uint64_t vaddr;	     /* of that byte, as the file's headers and its disassembly tell it */
	char section[ELF_NAME]; /* "" when it is in none */
	const struct insn_machine *machine; /* NULL: not known */
};

/* 0; -1 with *err: no file has the code. */
int function_code_open(struct function_code *c, struct dso *dso, const struct symbol *sym,
		       struct err *err);
void function_code_release(struct function_code *c);

#endif
