/* SPDX-License-Identifier: MIT */
/*
 * How long an x86 instruction is: prefixes, opcode map, ModRM, displacement and immediate, without
 * its meaning. Source: Intel SDM volume 2, appendix A.
 */
#ifndef SYMBOL_INSN_X86_H
#define SYMBOL_INSN_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSN_X86_MAX 15

/* The length in bytes of the instruction at p; 0 when it isn't one, or doesn't end within n bytes.
 */
unsigned int insn_x86_length(const uint8_t *p, size_t n, bool is_64_bit);
/* Does the instruction at p go elsewhere: jumps, calls, returns, interrupts, system calls? */
bool insn_x86_is_branch(const uint8_t *p, size_t n, bool is_64_bit);

#endif
