/* SPDX-License-Identifier: MIT */
/*
 * Disassembles a function: a range of a dso's code, with the source lines that it comes from.
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

/* What to do where neither is there. A static program loads no library. */
#define DISASM_INSTALL_OBJDUMP "install objdump (Debian: binutils)"
#define DISASM_INSTALL                                                                             \
	"install LLVM's library, version 11 or later (Debian: libllvm14), or objdump (Debian: "    \
	"binutils)"

struct disasm_options {
	enum disasm_tool tools[2]; /* in the order in which they are tried; 0: none */
	bool source;	     /* show source lines between the instructions */
	bool raw;	     /* show the bytes of each instruction before it */
	const char *style; /* -M: "intel", "att", or another style of objdump; NULL: the default */
	const char *objdump; /* the program, with options of its own; NULL: "objdump" */
	const char *section; /* name of the only section to show, for objdump; NULL: all */
	/* --prefix and --prefix-strip of objdump, for paths of source files; NULL: none */
	const char *prefix, *prefix_strip;
};

/* One line of a disassembly. Texts have no blanks at their ends; tabs are expanded. */
struct disasm_line {
	uint64_t vaddr;	  /* of the instruction; DISASM_NO_ADDRESS: a label, a line of source */
	const char *text; /* "mov    %rdi,%rdx" */
	/* line number as perf counts it: the last source line, plus the number of lines since
	 * then */
	uint32_t number;
	const char *file; /* its source file, NULL: not known */
	uint32_t line;
};

/* A disassembled function. All zero is valid and empty. */
struct disasm {
	struct arena arena;
	VEC(struct disasm_line) lines;
	enum disasm_tool tool; /* that made the lines */
	const struct insn_machine *machine; /* processor of the code (insn.h); NULL: not known */
	bool raw;	       /* texts begin with the bytes */
	uint64_t start, end;   /* virtual addresses of the function */
};

/*
 * Disassembles the symbol of a dso. Returns 0, or -1 with *err: no file has its code, no
 * disassembler supports it, ... LLVM is loaded once for the dso's set, so one thread at a time may
 * disassemble symbols of a set.
 */
int disasm_symbol(struct disasm *d, struct dso *dso, const struct symbol *sym,
		  const struct disasm_options *o, struct err *err);
void disasm_release(struct disasm *d);

#endif
