/* SPDX-License-Identifier: MIT */
/*
 * Contained answers: what a recording carries along of the files that its code came from, so that
 * it reads the same on a machine that has none of them (inject --self-contained).
 *
 * The writer looks everything up that readers may look up, with a set that notes its answers
 * (contained_note_begin). Only what was asked for is stored: the symbols that were found, the lines
 * and inlined functions of the addresses, the code of the functions, the lines of source that their
 * disassembly shows. A reader's set answers from it (contained_attach) before it searches any file.
 *
 * A payload, in the byte order of its writer:
 *
 *   head      version u32 (2), dsos u32, XXH3 of all that follows u64, bytes of the body u64
 *   body      compressed by zstd (RFC 8878)
 *
 * The body:
 *
 *   texts     bytes u32, then the texts: each ends with a zero byte, the first is empty. All other
 *             parts name a text by its offset; 0: none
 *   levels    n u32, n times {function u32, file u32, line u32}
 *   lists     n u32, n times {first u32, n u32}: a range of the levels, the innermost first
 *   sources   n u32, n times {file u32, line u32, text u32}, by file, then by line
 *   types     n u32, n times {name u32, size u64, members u32, as often {type u32, name u32,
 *             offset u64, size u64, depth u32}}: the first member is the type, with depth 0
 *   dsos      n u32, n times a dso
 *
 * A dso:
 *
 *   name u32, kind u8, source u8, origin u8, flags u8, pid i32, nameless u8, build-ids: twice
 *   {size u8, bytes [20]}, the recorded one and that of its files, path u32, shift u64,
 *   first u64, last u64 (the extent of all its symbols). The name of a guest's module is that of
 *   the guest's kernel, "/", and its own, with pid -1
 *   segments  n u32, n times {offset u64, vaddr u64, filesz u64, memsz u64, flags u32}
 *   symbols   n u32, n times {start u64, end u64, name u32, binding u8, type u8, plt u8, idle u8},
 *             by start
 *   odd       n u32, n times {rva u64, symbol u32}: addresses that a search among these symbols
 *             would name otherwise; 0xffffffff: no symbol
 *   places    n u32, n times {rva u64, bytes u32, list u32}, by rva
 *   codes     n u32, n times {rva u64, vaddr u64, machine u16, bits u8, order u8, section u32,
 *             bytes u32, the bytes}; order 1: big-endian, 2: Thumb; machine 0: bytes of the file,
 *             rva is their offset there
 *   jit       n u32, n times {time, start, end, offset, number: u64}: a JIT's dump
 *   accesses  n u32, n times {rva u64, offset u64, type u32, miss u8, flags u8, mnemonic u32}, by
 *             rva: what an instruction accesses, or what lies at an address of data
 *             (contained_types.h)
 *
 * Version 1 has neither types nor accesses.
 */
#ifndef SYMBOL_CONTAINED_H
#define SYMBOL_CONTAINED_H

#include "base/buf.h"
#include "symbol/dso.h"

struct contained;

/* True when the checksum of a payload holds and its version is known. */
bool contained_is_sound(const void *p, size_t n, bool swap);
/* Reads a payload. NULL: it is damaged, of another version, or takes too much memory. */
struct contained *contained_open(const void *p, size_t n, bool swap);
void contained_free(struct contained *c);
/* How many dsos a sound payload has answers for, by its head. */
uint32_t contained_count(const void *p, size_t n, bool swap);
/* Lets a set, which has no dso yet, answer from it. The set owns it from then on. */
void contained_attach(struct dso_set *set, struct contained *c);
/* True when the set has answers for a guest's kernel of that name. */
bool contained_knows_guest(const struct dso_set *set, const char *name);

/* Notes all answers of a set from now on. To be called before it has dsos. Symbols and code may
 * then be looked up by one thread only. */
void contained_note_begin(struct dso_set *set);

struct contained_totals {
	uint64_t dsos, symbols, places, code, sources, types; /* .code: bytes */
	uint64_t bytes;					      /* of the payload */
};
/* Appends the payload with all that was noted. False: there is nothing, or it is too large. */
bool contained_write(struct dso_set *set, struct buf *out, struct contained_totals *totals);

#endif
