/* SPDX-License-Identifier: MIT */
/*
 * The operands of an instruction, read from its text: which registers it reads and writes, and
 * where in memory. For x86-64, in AT&T syntax, and AArch64.
 *
 * Registers have their DWARF numbers (System V ABI, AMD64 supplement, figure 3.36; DWARF for the
 * Arm 64-bit Architecture, section 4.1).
 */
#ifndef PROBE_OPERAND_H
#define PROBE_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_REGISTER (-1)

enum operand_kind {
	OPERAND_NONE, /* or one that is not understood: a vector register, a segment */
	OPERAND_NUMBER,
	OPERAND_REGISTER,
	OPERAND_MEMORY,
};

struct operand {
	enum operand_kind kind;
	int base, index;  /* registers; NO_REGISTER: none. .base is the register itself, too */
	bool whole;	  /* the register is used in its full size of 8 bytes */
	bool segment;	  /* memory of a segment register: of a thread, or of a CPU */
	bool has_address; /* memory at a fixed address */
	uint64_t address; /* virtual, in the file */
	int64_t offset;	  /* from the registers; or the number */
};

/* What an instruction does with its operands. */
enum operation {
	OPERATION_OTHER,
	OPERATION_NOP,	   /* nothing: an operand in memory is not accessed */
	OPERATION_ADD,	   /* adds .from to .to */
	OPERATION_SUB,	   /* subtracts .from from .to */
	OPERATION_ADDRESS, /* .to becomes the address of .from, which is not accessed */
	OPERATION_MOVE,	   /* .to becomes .from */
};

/* An instruction's first operands that matter, and its last one, which it writes. */
struct operands {
	enum operation operation;
	unsigned int n; /* how many there are */
	struct operand from, to;
	/* a second register that changes: by OPERATION_MOVE it is filled from the 8 bytes behind
	 * those of .from; NO_REGISTER: none */
	int pair;
	/* a register that grows by .step after the access; NO_REGISTER: none */
	int stepped;
	int64_t step;
	bool stack; /* a push, pop, call or return: it moves values to and from the stack */
};

/* A processor whose instructions are understood. */
struct operand_machine {
	uint16_t elf;	       /* EM_* */
	uint64_t call_changes; /* registers that a called function may change: a bit for each */
	/* name: the mnemonic, of n bytes, in the text of the instruction: the operands follow it */
	void (*read)(struct operands *o, const char *name, size_t n);
	/* True for an instruction that changes a register, or may do so. A call changes none. */
	bool (*writes)(const struct operands *o, const char *name, size_t n, int number);
};

/* NULL: its instructions are not understood. */
const struct operand_machine *operand_machine_find(uint16_t elf, unsigned int bits);
/* The operand in memory; NULL: there is none, or the instruction only computes its address (lea,
 * nop). */
const struct operand *operands_memory(const struct operands *o);

/* For the files of this folder that read operands. */
extern const struct operand_machine operand_machine_a64;

#endif
