/* SPDX-License-Identifier: MIT */
/*
 * Call frame information: finds the caller of the function at an address of an ELF file.
 *
 * No table is built when a file is opened: .eh_frame_hdr is searched in place, and only the entry
 * that covers the address is decoded. Where that header is missing (.debug_frame, or .eh_frame
 * alone), opening builds an index of the entries. An open struct cfi can be used by many threads.
 *
 * Only the registers that lead to callers are tracked: instruction, stack and frame pointer, and
 * one more where hand-written code of an architecture finds its frame by it (rbx, in ld.so's
 * trampolines). The image (elf_file and its bytes) is borrowed and must outlive this. The image may
 * be damaged or malicious: entries that make no sense give no rule, and entries that take too much
 * work are given up.
 *
 * Source: DWARF 5, section 6.4 and appendix D.6; Linux Standard Base 5.0 core, chapter 10.6
 * (.eh_frame and .eh_frame_hdr); the psABIs for the numbers of registers.
 */
#ifndef SYMBOL_UNWIND_CFI_H
#define SYMBOL_UNWIND_CFI_H

#include "symbol/elf/elf_file.h"

/* What the unwinder needs to know of an architecture. */
struct unwind_machine {
	uint16_t elf;	 /* EM_* */
	uint8_t word;	 /* bytes of an address */
	uint8_t sp, fp, ra; /* DWARF numbers; ra is the column of return addresses */
	uint8_t kept;	    /* another register that hand-written code finds its frame by; or sp */
	/* a call puts the return address in a register, not on the stack (aarch64) */
	bool ra_in_register;
	uint8_t registers;   /* number of entries in .perf */
	const int8_t *perf;  /* DWARF number -> number in perf's register masks, -1: none */
	uint8_t perf_ip, perf_sp, perf_fp, perf_lr;
	uint64_t address_mask; /* the address bits of a return address */
};
/* Finds a machine by its ELF number; NULL: unwinding is not supported for it. */
const struct unwind_machine *unwind_machine_find(uint16_t elf_machine);

enum cfi_how {
	CFI_SAME,	/* the caller's value is the current one */
	CFI_UNDEFINED,	/* lost; as a return address: there is no caller */
	CFI_AT,		/* stored at the frame's address + at */
	CFI_IS,		/* is the frame's address + at */
	CFI_AT_EXPR,	/* stored at the address that the expression gives */
	CFI_IS_EXPR,	/* is the value of the expression */
	CFI_REGISTER,	/* is in another register; .at is its DWARF number */
};

/* How to get one register of the caller. */
struct cfi_value {
	uint16_t how;  /* enum cfi_how */
	uint16_t size; /* of an expression, bytes */
	int32_t at;    /* an offset; or the offset of an expression in its section */
};

#define CFI_SIGNAL 1 /* signal trampoline: the caller was interrupted */
#define CFI_DEBUG  2 /* expressions lie in .debug_frame, not .eh_frame */
#define CFI_OUTER 4 /* the function switches stacks: its caller, if any, is not on this stack */
/* derived from the code where execution stopped: not valid for a frame that made a call */
#define CFI_EXACT 8
#define CFI_UNCALLED 16 /* with CFI_EXACT: no call ends right behind this address */

/* How to get from an address in a function to its caller. Without padding: equal rules are equal
 * bytes. */
struct cfi_rule {
	struct cfi_value ra, fp, sp, kept;
	int32_t frame;	     /* frame address = register + frame; or the offset of an expression */
	uint16_t frame_size; /* bytes of that expression; 0: frame_reg is used */
	uint8_t frame_reg;   /* DWARF number */
	uint8_t flags;	     /* CFI_* */
};
_Static_assert(sizeof(struct cfi_rule) == 40, "no padding");

struct cfi_section {
	const uint8_t *p; /* NULL: there is none */
	size_t n;
	uint64_t vaddr;
};

/* The work that rule lookups in a file have taken so far, in all threads. */
struct cfi_effort {
	_Atomic uint64_t rules, steps;
};

struct cfi {
	const struct elf_file *elf;
	const struct unwind_machine *machine;
	/* counts the work; NULL: not counted, and only the work of a single rule is bounded */
	struct cfi_effort *effort;
	size_t entries;		   /* number of entries read for the index */
	bool too_much;		   /* the index would be too large: there is none */
	struct cfi_section eh, debug;
	struct cfi_section table; /* of .eh_frame_hdr: pairs of addresses, sorted */
	uint64_t table_base;	  /* what the addresses in .table are relative to */
	uint32_t table_entries;
	VEC(struct cfi_entry { uint64_t start, end; uint32_t at; bool debug; }) index;
};

/* Opens the .eh_frame of a file. False: the file has no call frame information (or is of an unknown
 * machine). */
bool cfi_open(struct cfi *c, const struct elf_file *elf);
/* Opens the .debug_frame of a file, whose bytes must outlive the cfi, too. */
bool cfi_open_debug(struct cfi *c, const struct elf_file *elf, const uint8_t *p, size_t n);
void cfi_release(struct cfi *c);
/* True when rules of this file have cost so much more than compilers' rules do that no more are
 * looked up. */
bool cfi_exhausted(const struct cfi *c);
/* The rule at a virtual address of the file; it holds for all addresses in [*from, *to). False: no
 * function is known there. */
bool cfi_find(const struct cfi *c, uint64_t vaddr, struct cfi_rule *rule, uint64_t *from,
	      uint64_t *to);
/* The rule at the end of the function whose entry ends right before the address. Hand-written
 * assembly may end its entry early (clone3, before its system call). False: no entry ends there. */
bool cfi_find_ended(const struct cfi *c, uint64_t vaddr, struct cfi_rule *rule);
/* The range of the function, as its entry states it. For files without symbols. */
bool cfi_function(const struct cfi *c, uint64_t vaddr, uint64_t *start, uint64_t *end);

/* Callbacks of an expression. Either may fail: the expression then has no value. */
struct cfi_context {
	bool (*reg)(void *ctx, unsigned int dwarf_number, uint64_t *v);
	bool (*read)(void *ctx, uint64_t address, unsigned int size, uint64_t *v);
	void *ctx;
	unsigned int *steps; /* operations that are left; decremented by each */
};
/* Evaluates an expression. If has_start, start is pushed on its stack first. False: it has no
 * value. Source: DWARF 5, section 2.5. */
bool cfi_expression(const struct cfi *c, bool debug, int32_t at, uint16_t size,
		    const struct cfi_context *context, bool has_start, uint64_t start, uint64_t *v);

#endif
