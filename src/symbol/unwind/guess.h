/* SPDX-License-Identifier: MIT */
/* Rules for code without call frame information whose frames are known otherwise. Private to
 * symbol/unwind. */
#ifndef SYMBOL_UNWIND_GUESS_H
#define SYMBOL_UNWIND_GUESS_H

#include "symbol/elf/go_table.h"
#include "symbol/unwind/cfi.h"

/* Go says how far the stack pointer is from where it was. False: no function is known there. */
bool go_rule(const struct go_table *t, const struct unwind_machine *machine, uint64_t vaddr,
	     struct cfi_rule *rule);
/* Slots of linkage tables push what the resolver is to know and jump. False: it is none. */
bool plt_rule(const struct elf_file *elf, const struct unwind_machine *machine, uint64_t vaddr,
	      struct cfi_rule *rule);

#endif
