/* SPDX-License-Identifier: MIT */
/* A system call of a thread: its beginning, its end, or both. */
#ifndef ANALYSIS_CALLS_CALL_H
#define ANALYSIS_CALLS_CALL_H

#include "base/buf.h"
#include "event/calls/calls.h"

/*
 * Copies of the caller's memory: a run of struct trace_piece (os/bpf/state/trace_record.h), each
 * followed by its bytes up to a multiple of 8.
 */
struct call_memory {
	const uint8_t *at;
	size_t n;
};

struct call {
	const struct call_desc *desc; /* NULL: the number is unknown */
	enum call_abi abi;
	int number;
	uint32_t pid, tid, cpu;
	const char *comm;
	bool entered, returned; /* beginning and end were recorded */
	bool early;		/* began before the trace: .enter_ns is when that did */
	bool refused;		/* never made: a seccomp filter or debugger gave the result */
	uint64_t enter_ns, exit_ns;
	int64_t result;
	uint64_t args[CALL_ARGS]; /* with .entered */
	bool copies;		  /* the caller's memory was copied, as far as it was readable */
	struct call_memory memory;
};

struct trace_record;
/* Fills a call from a record of the BPF program; the call borrows the record's bytes. */
void call_of_record(const struct trace_record *r, struct call *out);
/* "close", or "syscall_0x1c3" when the number is unknown. */
void call_name(const struct call *c, struct buf *out);
static inline bool call_failed(const struct call *c)
{
	return c->returned && c->result < 0 && c->result >= -4095;
}
/* Beginning and end are known. */
static inline bool call_is_timed(const struct call *c)
{
	return c->entered && c->returned && !c->early && !c->refused;
}
/* The first time of the call that is known; 0: none. */
static inline uint64_t call_first_ns(const struct call *c)
{
	return c->entered && !c->early ? c->enter_ns : c->exit_ns;
}
/* The contiguous bytes that were copied from address; *n is their number. NULL when there are none.
 * A copy at the call's return takes precedence over one at its beginning. */
const uint8_t *call_bytes(const struct call *c, uint64_t address, size_t *n);
/* Copies n bytes of the caller's memory to to; false when not all of them were recorded. */
bool call_read(const struct call *c, uint64_t address, void *to, size_t n);
/* Reads n longs (or pointers) that an argument of that kind has at address, of the caller's width.
 * At most 8; is_signed: those of 32 bits have a sign. */
bool call_read_longs(const struct call *c, enum call_kind_id kind, uint64_t address, uint64_t *to,
		     size_t n, bool is_signed);
/* The width of these longs, 4 or 8 bytes. */
unsigned int call_long_size(const struct call *c, enum call_kind_id kind);
static inline bool call_is_32(const struct call *c)
{
	return c->abi == CALL_I386;
}

#endif
