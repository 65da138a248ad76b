/* SPDX-License-Identifier: MIT */
/*
 * Classifies an instruction by its text: jumps, calls and returns, and their targets. There is one
 * table for each kind of processor; all tables are built in on every host.
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

/* How LLVM writes the target of a jump or call. objdump always writes "1139 <main+0x20>". */
enum insn_target_form {
	TARGET_ADDRESS,	 /* 0x1139, 4409 */
	TARGET_DISTANCE, /* 0x20, -32: relative to the instruction */
	TARGET_DOT,	 /* .+32 */
	TARGET_GOTO,	 /* goto +0x4: relative to the next instruction, in units of 8 bytes */
	TARGET_UNTOLD,	 /* in a way that tells no address */
};

struct insn_machine {
	const char *name; /* "x86_64", as in uname -m */
	uint16_t elf;	  /* EM_* */
	uint8_t bits;	  /* 32, 64 */
	bool big_endian;
	bool thumb; /* the Thumb encoding, which EM_ARM files contain, too */
	/* in LLVM's terms; target is part of names of its functions */
	const char *target, *triple, *features;
	uint8_t step; /* bytes of the shortest instruction */
	bool tight;   /* no blank follows the comma between operands */
	enum insn_target_form form;
	/* Mnemonics, separated by blanks; one that ends with '*' matches all that begin so. The
	 * first list with a match decides. In .returns, commas separate the mnemonics, and an
	 * operand may follow a mnemonic: "bx lr". */
	const char *returns, *calls, *jumps, *nops;
	const char *always; /* the jumps that are always taken */
};

/* Finds a machine; NULL: it is not supported. Never returns a Thumb machine, see
 * insn_machine_thumb(). */
const struct insn_machine *insn_machine_find(uint16_t elf, uint8_t bits, bool big_endian);

/* The machine of that name in uname -m; NULL: it is not supported. */
const struct insn_machine *insn_machine_named(const char *arch);

/* The Thumb machine for an EM_ARM machine. */
const struct insn_machine *insn_machine_thumb(const struct insn_machine *arm);

/* An instruction's text, parsed. Positions are byte offsets in the text. */
struct insn {
	enum insn_kind kind;
	bool always;	     /* a jump that is always taken */
	size_t name, name_n; /* its mnemonic, without prefixes (lock, rep, bnd) */
	size_t operands;     /* where the operands begin; the text's length when there are none */
	bool has_target;     /* a jump or call whose text tells the target */
	uint64_t target;     /* virtual address */
	size_t target_at, target_n; /* position and length of the target in the text */
};

/* Parses an instruction's text. llvm: the text is LLVM's, with targets as in the machine's
 * .form. */
void insn_read(struct insn *i, const struct insn_machine *m, const char *text, uint64_t vaddr,
	       bool llvm);
/* True for words that precede x86's mnemonics: lock, rep, bnd, ... */
bool insn_is_prefix(const char *word, size_t n);
/* Returns the number of machines in *all, for tests. */
size_t insn_machines(const struct insn_machine **all);

#endif
