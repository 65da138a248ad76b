/* SPDX-License-Identifier: MIT */
/*
 * What the instructions of x86-64 say of a frame where no table does. Private to symbol/unwind.
 *
 * Source: Intel SDM volume 2 (encodings), System V psABI for x86-64, section 3.2 (the stack at a
 * function's entry).
 */
#ifndef SYMBOL_UNWIND_X86_CODE_H
#define SYMBOL_UNWIND_X86_CODE_H

#include "symbol/unwind/cfi.h"

/* True when a call ends right before vaddr: a return address may point there. */
bool x86_follows_call(const struct elf_file *elf, uint64_t vaddr);
/* Where the call that ends before vaddr leads to; false: there is none, or memory says where. */
bool x86_call_target(const struct elf_file *elf, uint64_t vaddr, uint64_t *target);
/*
 * The rule of code that is about to return, or has just begun: the return address lies a known
 * number of words above the stack pointer. For where the code stopped (CFI_EXACT). It is a guess
 * until a call is found to end where it leads.
 */
bool x86_edge_rule(const struct elf_file *elf, const struct unwind_machine *m, uint64_t vaddr,
		   struct cfi_rule *rule);
/*
 * How many words the function that begins at `start` has below its return address when it gets to
 * vaddr. False: it has a frame pointer by then, vaddr isn't its, or its code cannot be followed.
 */
bool x86_words_pushed(const struct elf_file *elf, uint64_t start, uint64_t vaddr, uint64_t *words);

#endif
