/* SPDX-License-Identifier: MIT */
/*
 * Finds the length of an x86 instruction from its prefixes, opcode map, ModRM, displacement and
 * immediate. Source: Intel SDM volume 2, appendix A.
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
/* True for instructions that branch: jumps, calls, returns, interrupts, system calls. */
bool insn_x86_is_branch(const uint8_t *p, size_t n, bool is_64_bit);

#endif
