/* SPDX-License-Identifier: MIT */
/*
 * The operands of an x86-64 instruction, read from its text in AT&T syntax: which registers it
 * reads and writes, and where in memory.
 *
 * Registers have their DWARF numbers (System V ABI, AMD64 supplement, figure 3.36).
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

/* An instruction's first operands that matter, and its last one, which it writes. */
struct operands {
	struct operand from, to;
	bool stack; /* a push, pop, call or return: it moves values to and from the stack */
};

/* name: the mnemonic, of n bytes, in the text of the instruction: the operands follow it. Returns
 * how many operands there are. */
unsigned int operands_read(struct operands *o, const char *name, size_t n);
/* True for an instruction that changes a register, or may do so; count: its operands. A call
 * changes none here. */
bool operands_write(const struct operands *o, unsigned int count, const char *name, size_t n,
		    int number);
/* The operand in memory; NULL: there is none, or the instruction only computes its address (lea,
 * nop). */
const struct operand *operands_memory(const struct operands *o, const char *name, size_t n);

#endif
