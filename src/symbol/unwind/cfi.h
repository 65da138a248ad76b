/* SPDX-License-Identifier: MIT */
/*
 * Call frame information: for an address of an ELF file, where its function's caller is found.
 *
 * Nothing is built when a file is opened: .eh_frame_hdr is searched where it lies, and only the
 * entry that covers the address is decoded. Without that table (in .debug_frame, or a section
 * alone) there is an index of the entries. Once open it can be asked from many threads.
 *
 * Only the registers that lead to callers are followed: the instruction, stack and frame pointers,
 * and one more where an architecture's hand-written code uses one (rbx, in ld.so's trampolines).
 * The image (elf_file and its bytes) is borrowed and must outlive this. Everything in it may be
 * damaged, or made by somebody who means harm: what makes no sense is no rule, and what takes too
 * much work is given up.
 *
 * Source: DWARF 5, section 6.4 and appendix D.6; Linux Standard Base 5.0 core, chapter 10.6
 * (.eh_frame and .eh_frame_hdr); the psABIs for the numbers of registers.
 */
#ifndef SYMBOL_UNWIND_CFI_H
#define SYMBOL_UNWIND_CFI_H

#include "symbol/elf/elf_file.h"

/* What unwinding needs to know of an architecture. */
struct unwind_machine {
	uint16_t elf;	 /* EM_* */
	uint8_t word;	 /* bytes of an address */
	uint8_t sp, fp, ra; /* DWARF numbers; ra is the column of return addresses */
	uint8_t kept;	    /* another one that hand-written code finds its frame by; or sp */
	bool ra_in_register; /* a call puts it there, not on the stack (aarch64) */
	uint8_t registers;   /* how many DWARF numbers the table below has */
	const int8_t *perf;  /* DWARF number -> number in perf's register masks, -1: none */
	uint8_t perf_ip, perf_sp, perf_fp, perf_lr;
	uint64_t address_mask; /* what of a return address is address */
};
/* By ELF machine; NULL: unwinding is not known for it. */
const struct unwind_machine *unwind_machine_find(uint16_t elf_machine);

enum cfi_how {
	CFI_SAME,	/* the caller's is what it is now */
	CFI_UNDEFINED,	/* lost; as a return address: there is no caller */
	CFI_AT,		/* stored at the frame's address + at */
	CFI_IS,		/* is the frame's address + at */
	CFI_AT_EXPR,	/* stored at what the expression says */
	CFI_IS_EXPR,	/* is what the expression says */
	CFI_REGISTER,	/* is in another register: at is its DWARF number */
};

/* Where one register of the caller is. */
struct cfi_value {
	uint16_t how;  /* enum cfi_how */
	uint16_t size; /* of an expression, bytes */
	int32_t at;    /* an offset; the place of an expression in its section */
};

#define CFI_SIGNAL 1 /* the kernel called this to deliver a signal: the caller was interrupted */
#define CFI_DEBUG  2 /* expressions lie in .debug_frame, not .eh_frame */
#define CFI_OUTER                                                                                  \
	4 /* who called this function from here, if it called at all, isn't on this stack */
#define CFI_EXACT                                                                                  \
	8 /* derived from the code, for where it stopped: of a frame that called it says nothing   \
	   */
#define CFI_UNCALLED 16 /* with CFI_EXACT: no call ends right behind this address */

/* How to get from a function at one of its addresses to its caller. It has no padding: equal rules
 * are equal bytes. */
struct cfi_rule {
	struct cfi_value ra, fp, sp, kept;
	int32_t frame;	     /* frame address = register + frame; or the place of an expression */
	uint16_t frame_size; /* of that expression, bytes; 0: it is a register */
	uint8_t frame_reg;   /* DWARF number */
	uint8_t flags;	     /* CFI_* */
};
_Static_assert(sizeof(struct cfi_rule) == 40, "no padding");

struct cfi_section {
	const uint8_t *p; /* NULL: there is none */
	size_t n;
	uint64_t vaddr;
};

/* What looking for rules in a file has cost so far, by all threads. */
struct cfi_effort {
	_Atomic uint64_t rules, steps;
};

struct cfi {
	const struct elf_file *elf;
	const struct unwind_machine *machine;
	struct cfi_effort
		*effort; /* where it is counted; NULL: nowhere, and only single rules are bounded */
	size_t entries;		   /* that were looked at for the index */
	bool too_much;		   /* an index of them would be too large: there is none */
	struct cfi_section eh, debug;
	struct cfi_section table; /* of .eh_frame_hdr: pairs of addresses, sorted */
	uint64_t table_base;	  /* what its addresses are relative to */
	uint32_t table_entries;
	VEC(struct cfi_entry { uint64_t start, end; uint32_t at; bool debug; }) index;
};

/* By .eh_frame. False: the file tells nothing of its frames (or is of an unknown machine). */
bool cfi_open(struct cfi *c, const struct elf_file *elf);
/* By the bytes of its .debug_frame, which must outlive it, too. */
bool cfi_open_debug(struct cfi *c, const struct elf_file *elf, const uint8_t *p, size_t n);
void cfi_release(struct cfi *c);
/* Would more rules of this file be too much work? They cost many times what rules cost that
 * compilers write. */
bool cfi_exhausted(const struct cfi *c);
/* The rule at a virtual address of the file, which is that of all in [*from, *to). False: no
 * function is known there. */
bool cfi_find(const struct cfi *c, uint64_t vaddr, struct cfi_rule *rule, uint64_t *from,
	      uint64_t *to);
/* The rule at the end of the function whose entry ends right before the address: code in assembly
 * ends its entry early (clone3, before its system call). False: none ends there. */
bool cfi_find_ended(const struct cfi *c, uint64_t vaddr, struct cfi_rule *rule);
/* The function's own range, as an entry states it, for files without symbols. */
bool cfi_function(const struct cfi *c, uint64_t vaddr, uint64_t *start, uint64_t *end);

/* What an expression may ask for. Either may fail: the expression then has no value. */
struct cfi_context {
	bool (*reg)(void *ctx, unsigned int dwarf_number, uint64_t *v);
	bool (*read)(void *ctx, uint64_t address, unsigned int size, uint64_t *v);
	void *ctx;
	unsigned int *steps; /* how many it may take; taken off */
};
/* Source: DWARF 5, section 2.5. start holds the value that lies on the stack first,
 * if has_start. */
bool cfi_expression(const struct cfi *c, bool debug, int32_t at, uint16_t size,
		    const struct cfi_context *context, bool has_start, uint64_t start, uint64_t *v);

#endif
