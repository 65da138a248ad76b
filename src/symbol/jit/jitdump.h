/* SPDX-License-Identifier: MIT */
/*
 * Reads the dump that a JIT writes of its code, jit-PID.dump: each function with its name, its
 * bytes, its address and the time. The runtime maps a page of the file as executable, so that a
 * recording names the file.
 *
 * Symbols are placed at the file offsets of their code in the dump, as if the code had been mapped
 * from there. So they keep their place when memory is reused or code is moved. Source:
 * tools/perf/Documentation/jitdump-specification.txt.
 */
#ifndef SYMBOL_JIT_JITDUMP_H
#define SYMBOL_JIT_JITDUMP_H

#include "symbol/jit/jit_lines.h"

/* Code that was placed at [start, end), in order of the dump. */
struct jit_code {
	uint64_t time; /* of the runtime's clock, mostly CLOCK_MONOTONIC; ns */
	uint64_t start, end;
	uint64_t offset; /* offset of its first byte in the dump: an rva of the dso */
	uint64_t number; /* the runtime's id of the code, which a move keeps */
	struct jit_unwinding { /* .eh_frame followed by .eh_frame_hdr, in the dump */
		uint64_t offset;
		/* bytes of both; bytes of .eh_frame_hdr. 0: there is none */
		uint32_t size, header_size;
	} unwinding;
	struct jit_line_table lines;
};

struct jit_codes {
	uint32_t machine; /* EM_*, of the code */
	bool swap; /* the dump has the other byte order */
	bool other_clock; /* times are of the processor's own clock, not of CLOCK_MONOTONIC */
	VEC(struct jit_code);
};

/* True for names like "DIR/jit-123.dump". */
bool jitdump_is_name(const char *path);
/* The dso of a process's dump, to be read once by jitdump_read(). */
struct dso *jitdump_dso(struct dso_set *set, const char *path, int32_t pid);
/* Reads a dump: adds its symbols to the dso, and its code to *codes. Reads the valid part of a dump
 * that is truncated, damaged or still being written. False: there is none. */
bool jitdump_read(struct dso *dso, struct jit_codes *codes);

#endif
