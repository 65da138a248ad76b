/* SPDX-License-Identifier: MIT */
/*
 * Why an address has no name, and why an unwound call chain ends. Symbols and unwinders find these
 * reasons; the ledger of losses counts them.
 */
#ifndef BASE_REASONS_H
#define BASE_REASONS_H

#include <stdint.h>

/* Why an address has no name. */
enum nameless {
	NAMELESS_NOT,	  /* it has one */
	NAMELESS_NOWHERE, /* nothing is known to be mapped there */
	NAMELESS_NO_CODE, /* the process has no executable mapping there, so the address is no
			   * caller */
	NAMELESS_HIDDEN,  /* the recording does not tell where the kernel lay */
	NAMELESS_OUTSIDE, /* of a process outside of the recorder's pid namespace */
	NAMELESS_MEMORY,  /* anonymous memory that no JIT describes */
	NAMELESS_FOREIGN, /* anonymous memory whose JIT map or dump belongs to another user */
	NAMELESS_STALE,	  /* anonymous memory whose JIT map is older than the process */
	NAMELESS_KERNEL, /* the kernel or a module, whose symbols were not found or are of another
			  * build */
	NAMELESS_GONE,	 /* of a file that was not found, or has another build-id now */
	NAMELESS_REPLACED, /* of a file without a build-id that was rebuilt or replaced since the
			    * recording */
	NAMELESS_STRIPPED, /* of a file with no symbols, or only with those that it exports */
	NAMELESS_BETWEEN,  /* of a file with symbols, none of which covers the address */
	NAMELESS_KINDS
};

/* Why an unwound call chain ends. */
enum unwind_end {
	UNWIND_OUTERMOST, /* at the thread's outermost frame: the chain is complete */
	UNWIND_MAX,	  /* at the limit of frames */
	UNWIND_STACK,	  /* the stack dump was too short */
	UNWIND_ELSEWHERE, /* a signal handler ran on a stack of its own: the interrupted stack is
			   * not in the dump */
	UNWIND_NO_CODE,	  /* a return address where nothing is mapped */
	UNWIND_NO_RULE,	  /* code without call frame information and without frame pointers */
	UNWIND_NO_FILE,	  /* the program or library was not found */
	UNWIND_DAMAGED,	  /* a loop of frames, or a rule that cannot be followed */
	UNWIND_SWITCHED,  /* Go switched to another stack: the one that it left is not in the
			   * dump */
	UNWIND_WORK,	  /* reading the file's call frame information would take too much work */
	UNWIND_ENDS = UNWIND_WORK + 1
};

const char *nameless_text(enum nameless why); /* "stripped files" */
const char *unwind_end_text(enum unwind_end end); /* "the copy of the stack was too short" */
/* The sum of the chains of all ends. */
uint64_t unwind_ends_sum(const uint64_t ends[UNWIND_ENDS]);

#endif
