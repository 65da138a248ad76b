/* SPDX-License-Identifier: MIT */
/* What bpf/trace.bpf.c and its loader agree on. */
#ifndef OS_BPF_TRACE_RECORD_H
#define OS_BPF_TRACE_RECORD_H

#include <stdint.h>

#define TRACE_NUMBERS 1024
#define TRACE_STEPS   6 /* copies a call */
#define TRACE_SUMS    65536
#define TRACE_FDS     1024 /* descriptors whose bytes can be asked for */

enum { TRACE_X86_64, TRACE_I386, TRACE_X32, TRACE_GENERIC, TRACE_ABIS };
/* Of i386: calls that stand for others (bpf/trace_inner.h). */
enum { I386_SOCKETCALL = 102, I386_IPC = 117 };

/* As enum call_copy of event/calls/calls.h, which this level does not know. */
enum {
	TRACE_NOTHING,
	TRACE_STRING,
	TRACE_BYTES,
	TRACE_FIXED,
	TRACE_ARRAY,
	TRACE_SOCKADDR,
	TRACE_IOV,
	TRACE_MSG,
	TRACE_STRINGS,
	TRACE_SIZED,
	TRACE_IOCTL,
	TRACE_MMSG,
	TRACE_MASK
};

struct trace_step {
	uint8_t arg, how;
	uint8_t enter;
	uint8_t exit : 1, failure : 1; /* when it is copied: failure, when the call failed */
	uint8_t length;	     /* argument with its length; 6: the result */
	uint8_t data;	     /* bytes of a user's buffer: no more than --string-size */
	uint16_t size;
};
struct trace_plan {
	uint8_t wanted, endless; /* endless: it never returns */
	uint8_t n;
	uint8_t execs;
	uint8_t enters, exits; /* some step copies then */
	uint8_t dump;	       /* how all that it reads or writes can be sent; TRACE_NOTHING: not */
	uint8_t dump_arg;      /* the buffer; for TRACE_BYTES its size is the next argument */
	uint8_t forks;	       /* it returns 0 in a new task */
	struct trace_step steps[TRACE_STEPS];
};

/* Bytes of user memory; the record goes on after them, at a multiple of 8. */
struct trace_piece {
	uint64_t address;
	uint16_t n;
	uint16_t at_exit;
	uint32_t unused;
};

/*
 * TRACE_DATA: a part of what a call has read or written; all parts come before the call's own
 * record. .number: the element of its vector; args: the offset of the part in the element, the
 * bytes of the element, the bytes of the part, 1 where there is a vector, for one of several
 * messages its number from 1 on (else 0), and the elements of its vector. The bytes follow the
 * record, or nothing when they could not be read. A message begins with a part of no bytes.
 */
/*
 * TRACE_EARLY_*: the call began before the trace; .enter_ns is when tracing began. TRACE_EARLY_CALL
 * has its arguments, and what they point to when it returns.
 * TRACE_REFUSED: a seccomp filter or a debugger gave the result, and the call was never made;
 * .enter_ns is when the result was there. TRACE_TRAPPED: the same without a result, for the task
 * got a signal.
 */
enum {
	TRACE_CALL = 1,
	TRACE_ENTER,
	TRACE_EXIT,
	TRACE_FORK,
	TRACE_DATA,
	TRACE_EARLY_ENTER,
	TRACE_EARLY_CALL,
	TRACE_REFUSED,
	TRACE_TRAPPED
};
#define TRACE_PART 2048 /* the most bytes of a part, a multiple of 16 */

struct trace_record {
	uint16_t bytes; /* of pieces */
	uint8_t what, abi;
	int32_t number;
	uint32_t pid, tid, cpu;
	uint32_t ppid; /* TRACE_FORK: the process it is from; args[0] has the flags of clone */
	uint64_t enter_ns, exit_ns;
	int64_t result;
	uint64_t args[6];
	char comm[16];
};

#define TRACE_ROOM 3712 /* bytes of pieces in a record */

struct trace_sum_key {
	uint32_t tid;
	int16_t number;
	uint16_t abi_error; /* abi, and from bit 4 on the error; 0: none asked for */
	uint64_t cgroup; /* the kernel's id of the group that the task was in; 0: not asked for */
};
struct trace_sum {
	struct trace_sum_key key;
	uint64_t calls, errors;
	uint64_t sum_ns, min_ns, max_ns;
	uint64_t squares_low, squares_high; /* of ns, 128 bits */
	uint32_t pid, unused;
	char comm[16];
};

#endif
