/* SPDX-License-Identifier: MIT */
/*
 * Finds loops of x86-64 code that wait for another thread. Such a loop
 *  - holds the instruction pause, or
 *  - reads memory, and changes nothing that its next turn depends on: it has no call and no store,
 *    and reads no register that an earlier turn set. Only another thread (or a signal) can end it.
 *    A loop that follows a list or counts is none.
 */
#ifndef SYMBOL_SPIN_X86_H
#define SYMBOL_SPIN_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True when the instruction at that offset is in such a loop. code: n bytes of 64-bit code, from
 * the first instruction of a function on. Writes to parts of registers count as writes to all of
 * them. */
bool spin_x86_at(const uint8_t *code, size_t n, size_t at);

#endif
