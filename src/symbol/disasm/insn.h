/* SPDX-License-Identifier: MIT */
/*
 * What an instruction does, by its text: which ones jump, call and return, and where to. One table
 * a kind of processor; all of them are there on every host.
 */
#ifndef SYMBOL_DISASM_INSN_H
#define SYMBOL_DISASM_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum insn_kind {
	INSN_OTHER,
	INSN_JUMP,   /* conditional or not */
	INSN_CALL,
	INSN_RETURN,
	INSN_NOP,
};

/* How LLVM writes the target of a jump or call; objdump writes it as "1139 <main+0x20>" always. */
enum insn_target_form {
	TARGET_ADDRESS,	 /* 0x1139, 4409 */
	TARGET_DISTANCE, /* 0x20, -32: from the instruction */
	TARGET_DOT,	 /* .+32 */
	TARGET_GOTO,	 /* goto +0x4: from the next instruction, in units of 8 bytes */
};

struct insn_machine {
	const char *name; /* "x86_64": as uname -m says it */
	uint16_t elf;	  /* EM_* */
	uint8_t bits;	  /* 32, 64 */
	bool big_endian;
	bool thumb; /* the short encoding of ARM, which the same files have, too */
	const char *target, *triple, *features; /* LLVM's; target is part of its functions' names */
	uint8_t step; /* bytes of the shortest instruction */
	bool tight;   /* operands are separated by a comma alone */
	enum insn_target_form form;
	/* Mnemonics, separated by blanks; one that ends with '*' stands for all that begin so. The
	 * first list that has the mnemonic decides. In .returns, commas separate them, and an
	 * operand may follow: "bx lr". */
	const char *returns, *calls, *jumps, *nops;
	const char *always; /* those jumps that are always taken */
};

/* NULL: no such machine is known. Thumb code is found by insn_machine_thumb() alone. */
const struct insn_machine *insn_machine_find(uint16_t elf, uint8_t bits, bool big_endian);

/* The short encoding of EM_ARM's code. */
const struct insn_machine *insn_machine_thumb(const struct insn_machine *arm);

/* An instruction's text, taken apart. */
struct insn {
	enum insn_kind kind;
	bool always;	     /* a jump that is always taken */
	size_t name, name_n; /* its mnemonic, without prefixes (lock, rep, bnd) */
	size_t operands;     /* where these begin; the text's length when there are none */
	bool has_target;     /* a jump or call to a place that its text tells */
	uint64_t target;     /* virtual address */
	size_t target_at, target_n; /* the text that says so */
};

/* llvm: the text is LLVM's, where targets are written as the machine's .form says. */
void insn_read(struct insn *i, const struct insn_machine *m, const char *text, uint64_t vaddr,
	       bool llvm);
/* Is the word one that stands before x86's mnemonics: lock, rep, bnd, ...? */
bool insn_is_prefix(const char *word, size_t n);
/* How many there are, for tests. */
size_t insn_machines(const struct insn_machine **all);

#endif
