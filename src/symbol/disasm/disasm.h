/* SPDX-License-Identifier: MIT */
/*
 * A function as its instructions: what a disassembler says of a range of a dso's code, with the
 * lines of source that it comes from.
 *
 * There are two disassemblers: LLVM, in this process (llvm.h), and objdump of the binutils
 * (objdump.h). Both give the same kinds of lines, in the form that objdump -l -d -S prints them.
 */
#ifndef SYMBOL_DISASM_H
#define SYMBOL_DISASM_H

#include "base/err.h"
#include "base/mem.h"
#include "symbol/code.h"
#include "symbol/dso.h"

#define DISASM_NO_ADDRESS UINT64_MAX

enum disasm_tool {
	DISASM_LLVM = 1,
	DISASM_OBJDUMP,
};

struct disasm_options {
	enum disasm_tool tools[2]; /* in the order in which they are tried; 0: none */
	bool source;	     /* lines of source stand between the instructions */
	bool raw;	     /* the bytes of each instruction stand before it */
	const char *style;   /* -M: "intel", "att", or what objdump knows; NULL: the usual one */
	const char *objdump; /* the program, with options of its own; NULL: "objdump" */
	const char *prefix,
		*prefix_strip; /* of the paths of source files, as objdump takes them; NULL: none */
};

/* One line of it. Texts have no blanks at their ends, and blanks where tabs were. */
struct disasm_line {
	uint64_t vaddr;	  /* of the instruction; DISASM_NO_ADDRESS: a label, a line of source */
	const char *text; /* "mov    %rdi,%rdx" */
	uint32_t number;  /* as perf numbers it: of the source line, plus the lines since that was
			     told */
	const char *file; /* the source that it belongs to, NULL: not known */
	uint32_t line;
};

/* All zero is valid and empty. */
struct disasm {
	struct arena arena;
	VEC(struct disasm_line) lines;
	enum disasm_tool tool; /* that made them */
	const struct insn_machine *machine; /* whose code it is (insn.h); NULL: not known */
	bool raw;	       /* texts begin with the bytes */
	uint64_t start, end;   /* virtual addresses of the function */
};

/*
 * Disassembles the symbol of a dso. 0, or -1 with *err: no file has its code, there is no
 * disassembler for it, ...
 */
int disasm_symbol(struct disasm *d, struct dso *dso, const struct symbol *sym,
		  const struct disasm_options *o, struct err *err);
void disasm_release(struct disasm *d);

#endif
