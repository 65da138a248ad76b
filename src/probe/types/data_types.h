/* SPDX-License-Identifier: MIT */
/*
 * Which type of data, and which member of it, an instruction reads or writes: by the operands of
 * the instruction and the debug information of its variables, as perf has it since 6.8. For
 * programs of x86-64 and AArch64.
 *
 * A register that no variable describes is followed back to the instruction that filled it, within
 * straight code: a load from a pointer's variable, an address, a copy, a sum.
 *
 * All that is found is kept, and lives as long as the struct data_types. For one thread.
 */
#ifndef PROBE_DATA_TYPES_H
#define PROBE_DATA_TYPES_H

#include "symbol/disasm/disasm.h"

/* A type or a member of one. Children follow it in their order: those of a depth greater by 1. */
struct data_member {
	const char *type, *name; /* "unsigned int"; "" without a name */
	uint64_t offset, size;	 /* from the beginning of the whole type, in bytes */
	unsigned int depth;	 /* 0: the whole type */
	bool has_members;
};
struct data_type {
	const char *name; /* "struct task" */
	uint64_t size;
	VEC(struct data_member) members; /* the type itself first */
};

/* The outcome of a search, as perf's --type-stat names it. */
enum data_miss {
	DATA_FOUND,
	DATA_NO_SYM,	   /* the sample has no symbol */
	DATA_NO_INSN,	   /* no instruction begins at its address, or the code is not there */
	DATA_NO_INSN_OPS,  /* the instruction has no operands, or they are not understood */
	DATA_NO_MEM_OPS,   /* none of them is in memory */
	DATA_NO_DBGINFO,   /* the file has no debug information */
	DATA_NO_CUINFO,	   /* or none of this function */
	DATA_NO_VAR,	   /* no variable is known to be there */
	DATA_NO_TYPEINFO,  /* the variable points to nothing with a type: void * */
	DATA_INVALID_SIZE, /* the type has no size: struct x; */
	DATA_BAD_OFFSET,   /* the place lies outside of the type */
	DATA_MISSES,
};
const char *data_miss_name(enum data_miss miss); /* "no_var" */

/* What one instruction accesses. */
struct data_access {
	enum data_miss miss;
	bool stack;	       /* it pushes or pops: a place of the stack without a type */
	uint32_t type;	       /* id, with DATA_FOUND */
	const struct dso *dso; /* whose debug information has the type, with DATA_FOUND */
	uint64_t offset;       /* in the type */
	const char *mnemonic;  /* NULL: no instruction */
};

struct data_types;
struct data_types *data_types_new(void);
void data_types_free(struct data_types *d);
/* Sets which disassemblers are tried, and the path of objdump, which is borrowed. Without it LLVM
 * is tried first, then the objdump of PATH. */
void data_types_disassemble_by(struct data_types *d, const struct disasm_options *how);
/* The functions of which an instruction was asked for. */
struct data_codes {
	size_t n, failed; /* in all; those whose code could not be disassembled */
	bool broken;	  /* the code of one was there, but the disassembler failed */
	struct err why;	  /* of the first failure, or of the first such disassembler */
};
const struct data_codes *data_types_codes(const struct data_types *d);
void data_codes_add(struct data_codes *sum, const struct data_codes *more);
/* False: the dso has no debug information, and so no types. */
bool data_types_possible(struct data_types *d, struct dso *dso);
/* What the instruction at the address of the dso's symbol (NULL: there is none) accesses; never
 * NULL. It is valid until the next call. */
const struct data_access *data_types_find(struct data_types *d, struct dso *dso,
					  const struct symbol *sym, uint64_t rva);
/* What lies at an address of a dso's data: a variable of the whole program; never NULL. For samples
 * whose instruction does not tell, but that have the address of the data. It is valid until the
 * next call. */
const struct data_access *data_types_find_variable(struct data_types *d, struct dso *dso,
						   uint64_t rva);
/* A type by its id; it stays where it is. */
const struct data_type *data_types_at(const struct data_types *d, uint32_t type);
/* Appends the names of the members that an offset lies in, from the outermost on: "list.next". */
void data_type_path(const struct data_type *type, uint64_t offset, struct buf *out);

#endif
