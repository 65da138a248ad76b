/* SPDX-License-Identifier: MIT */
/* One system call of a thread, as far as it is known: its beginning, its end, or both. */
#ifndef ANALYSIS_CALLS_CALL_H
#define ANALYSIS_CALLS_CALL_H

#include "base/buf.h"
#include "event/calls/calls.h"

/*
 * What was copied of the caller's memory: a run of struct trace_piece (os/bpf/trace_record.h), each
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
	bool entered, returned; /* which of both was seen */
	uint64_t enter_ns, exit_ns;
	int64_t result;
	uint64_t args[CALL_ARGS]; /* with .entered */
	bool copies;		  /* memory was copied, where that could be */
	struct call_memory memory;
};

struct trace_record;
/* What BPF sent of a call; the call borrows the record's bytes. */
void call_of_record(const struct trace_record *r, struct call *out);
/* "close", or "syscall_0x1c3" when the number is unknown. */
void call_name(const struct call *c, struct buf *out);
static inline bool call_failed(const struct call *c)
{
	return c->returned && c->result < 0 && c->result >= -4095;
}
/* The bytes that were copied from there: when the call returned rather than when it began, where
 * both were. At most what lies together; NULL when there are none. *n says how many. */
const uint8_t *call_bytes(const struct call *c, uint64_t address, size_t *n);
/* Copies n bytes from there; false when they were not all copied. */
bool call_read(const struct call *c, uint64_t address, void *to, size_t n);
static inline bool call_is_32(const struct call *c)
{
	return c->abi == CALL_I386;
}

#endif
