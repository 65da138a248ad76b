/* SPDX-License-Identifier: MIT */
/* Rules for code that has no call frame information but whose frames are known from elsewhere.
 * Private to symbol/unwind. */
#ifndef SYMBOL_UNWIND_GUESS_H
#define SYMBOL_UNWIND_GUESS_H

#include "symbol/elf/go_table.h"
#include "symbol/unwind/cfi.h"

/* By Go's table, which says how far the stack pointer is below its value before the call. False: no
 * function is known there. */
bool go_rule(const struct go_table *t, const struct unwind_machine *machine, uint64_t vaddr,
	     struct cfi_rule *rule);
/* In a PLT, whose slots push the resolver's arguments and jump. False: vaddr is in none. */
bool plt_rule(const struct elf_file *elf, const struct unwind_machine *machine, uint64_t vaddr,
	      struct cfi_rule *rule);

#endif
