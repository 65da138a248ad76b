/* SPDX-License-Identifier: MIT */
/*
 * The dump that a JIT writes of the code it makes, jit-PID.dump: each function with its name, its
 * bytes, where it was put and when. The runtime maps a page of the file as executable, so that a
 * recording says which file it is.
 *
 * Code is a stretch of the dump: its symbols lie at the file offsets of its bytes, as if it had
 * been mapped from there, and so keep their place when memory is used again or code is moved.
 * Source: tools/perf/Documentation/jitdump-specification.txt.
 */
#ifndef SYMBOL_JIT_JITDUMP_H
#define SYMBOL_JIT_JITDUMP_H

#include "symbol/jit/jit_lines.h"

/* Code that was put at [start, end); in order of the dump. */
struct jit_code {
	uint64_t time; /* of the runtime's clock, mostly CLOCK_MONOTONIC, ns */
	uint64_t start, end;
	uint64_t offset; /* of its first byte in the dump: an rva of the dso */
	uint64_t number; /* by which the runtime calls it, wherever it moves */
	struct jit_unwinding { /* .eh_frame and then .eh_frame_hdr, as they stand in the dump */
		uint64_t offset;
		uint32_t size, header_size; /* of both; of the latter. 0: there is none */
	} unwinding;
	struct jit_line_table lines;
};

struct jit_codes {
	uint32_t machine; /* EM_*, of the code */
	bool swap; /* written in the other byte order */
	bool other_clock; /* the times are no CLOCK_MONOTONIC: the processor's own */
	VEC(struct jit_code);
};

/* "DIR/jit-123.dump" */
bool jitdump_is_name(const char *path);
/* The dso of a process's dump, to be read once. */
struct dso *jitdump_dso(struct dso_set *set, const char *path, int32_t pid);
/* Gives the dso its symbols, and says where they were. A dump that is cut short, damaged or still
 * written gives what can be read of it: false when that is nothing. */
bool jitdump_read(struct dso *dso, struct jit_codes *codes);

#endif
