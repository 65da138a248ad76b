/* SPDX-License-Identifier: MIT */
/*
 * The names of the registers that samples hold, by machine: bit i of sample_regs_user and
 * sample_regs_intr. Source: arch/ARCH/include/uapi/asm/perf_regs.h.
 */
#ifndef EVENT_REGISTERS_H
#define EVENT_REGISTERS_H

#include "base/buf.h"

/* arch as uname -m says it ("x86_64", "aarch64", "armv7l", ...), NULL: this machine's. NULL when
 * the machine or the register isn't known. */
const char *register_name(const char *arch, unsigned int number);
/* The mask of the registers of that name ("ax", in any case), 0 when there is none. */
uint64_t register_mask(const char *arch, const char *name);
/* Appends the names of this machine's registers, each once, separated by blanks. */
void register_names(struct buf *out);

#endif
