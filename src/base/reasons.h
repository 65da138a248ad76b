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
	NAMELESS_NO_CODE, /* the process has nothing executable there, so it is no caller */
	NAMELESS_HIDDEN,  /* the recording does not tell where the kernel lay */
	NAMELESS_OUTSIDE, /* of processes outside of the recorder's pid namespace */
	NAMELESS_MEMORY,  /* memory of no file, and no JIT tells of it */
	NAMELESS_FOREIGN, /* the same, but the JIT's map or dump belongs to another user */
	NAMELESS_STALE,	  /* the same, but the JIT's map is older than the process */
	NAMELESS_KERNEL, /* the kernel or a module, whose symbols were not found or are not those */
	NAMELESS_GONE,	 /* of a file that was not found, or is another one by now */
	NAMELESS_REPLACED, /* of a file without a build-id that was rebuilt or replaced since */
	NAMELESS_STRIPPED, /* of a file without symbols, or with those only that it exports */
	NAMELESS_BETWEEN,  /* of a file whose symbols do not cover it */
	NAMELESS_KINDS
};

/* Why a chain ends. */
enum unwind_end {
	UNWIND_OUTERMOST, /* where the thread began */
	UNWIND_MAX,	  /* there was no room for more */
	UNWIND_STACK,	  /* the copy of the stack ended first */
	UNWIND_ELSEWHERE, /* a signal's handler had a stack of its own: the other one was not copied
			   */
	UNWIND_NO_CODE,	  /* an address that nothing is mapped at */
	UNWIND_NO_RULE,	  /* code that says nothing of its frames, without frame pointers */
	UNWIND_NO_FILE,	  /* the program or library is not there */
	UNWIND_DAMAGED,	  /* it goes in circles, or a rule cannot be followed */
	UNWIND_SWITCHED,  /* Go went to another stack: the one that it left was not copied */
	UNWIND_WORK,	  /* a file that takes too much work to read */
	UNWIND_ENDS = UNWIND_WORK + 1
};

const char *nameless_text(enum nameless why); /* "stripped files" */
const char *unwind_end_text(enum unwind_end end); /* "the copy of the stack was too short" */
/* The number of all chains, given for each way to end. */
uint64_t unwind_ends_sum(const uint64_t ends[UNWIND_ENDS]);

#endif
