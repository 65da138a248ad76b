/* SPDX-License-Identifier: MIT */
/*
 * Derives frames from x86-64 instructions where no table describes them. Private to symbol/unwind.
 *
 * Source: Intel SDM volume 2 (encodings), System V psABI for x86-64, section 3.2 (the stack at a
 * function's entry).
 */
#ifndef SYMBOL_UNWIND_X86_CODE_H
#define SYMBOL_UNWIND_X86_CODE_H

#include "symbol/unwind/cfi.h"

/* True when a call instruction ends right before vaddr: vaddr may be a return address. */
bool x86_follows_call(const struct elf_file *elf, uint64_t vaddr);
/* The target of the call that ends right before vaddr; false: there is none, or it is indirect. */
bool x86_call_target(const struct elf_file *elf, uint64_t vaddr, uint64_t *target);
/*
 * The rule of code that is about to return, or that has just begun: the return address lies a known
 * number of words above the stack pointer. Only for the address where execution stopped
 * (CFI_EXACT). The rule is a guess until a call is found right before the return address.
 */
bool x86_edge_rule(const struct elf_file *elf, const struct unwind_machine *m, uint64_t vaddr,
		   struct cfi_rule *rule);
/*
 * How many words the function that begins at `start` has pushed below its return address when it
 * reaches vaddr. False: it has set up a frame pointer by then, vaddr is not in it, or its code
 * cannot be followed.
 */
bool x86_words_pushed(const struct elf_file *elf, uint64_t start, uint64_t vaddr, uint64_t *words);

#endif
