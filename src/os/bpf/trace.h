/* SPDX-License-Identifier: MIT */
/*
 * System calls as they happen, with the user memory that their arguments point to: a record for
 * each call, through a ring buffer that all CPUs share. Or, with sums, only how many calls of each
 * kind a thread made, and how long they took.
 *
 * A call's plan (bpf_trace_plan) says what its record carries. A call without a plan is not traced.
 */
#ifndef OS_BPF_TRACE_H
#define OS_BPF_TRACE_H

#include "base/err.h"
#include "os/bpf/state/trace_record.h"

#include <stdbool.h>
#include <stddef.h>

struct bpf_trace_options {
	bool by_task; /* followed tasks only, else all but this process */
	bool inherit; /* children of a followed task are followed */
	uint64_t cgroup; /* tasks in it, by the kernel's id (os/machine/cgroup.h); 0: any */
	const int *cpus; /* only on these, n_cpus; NULL: all */
	size_t n_cpus;
	bool sums, sum_errors; /* sum_errors: each error apart, too */
	bool sum_cgroups;      /* with .sums: each control group of a task apart */
	bool failures;	       /* only calls that failed */
	bool early;	       /* tasks may be in calls that had begun before (TRACE_EARLY_CALL) */
	uint64_t least_ns;     /* only calls that took at least this long */
	uint32_t string_size;  /* bytes of a buffer that are copied, at most 1024 */
	size_t ring_bytes;     /* a power of two of at least a page */
	/* Sends all bytes (TRACE_DATA) of calls that read or write these descriptors: TRACE_FDS
	 * bytes, 0 for a descriptor that is not wanted. dump_others: descriptors from TRACE_FDS on
	 * are wanted, too. NULL: none. */
	const uint8_t *dump_fds;
	bool dump_others;
};

struct bpf_trace;

/* Loads and attaches it; it traces nothing yet. NULL with *err. */
struct bpf_trace *bpf_trace_new(const struct bpf_trace_options *opts, struct err *err);
void bpf_trace_free(struct bpf_trace *t);
/* The plan of a call, which the caller fills in; NULL: there is no such number. */
struct trace_plan *bpf_trace_plan(struct bpf_trace *t, unsigned int abi, int number);
/* Follows a task from now on, or from its next exec. 0 or a negative errno. */
int bpf_trace_follow(struct bpf_trace *t, int tid, bool on_exec);
void bpf_trace_switch(struct bpf_trace *t, bool on);
/* A descriptor that becomes readable when many records wait. */
int bpf_trace_fd(const struct bpf_trace *t);
/* The next record with its pieces, valid until the next call; NULL: there is none now. */
const struct trace_record *bpf_trace_next(struct bpf_trace *t);
/* Records, or sums, that there was no room for. */
uint64_t bpf_trace_lost(const struct bpf_trace *t);
/* Parts (TRACE_DATA) that there was no room for. */
uint64_t bpf_trace_lost_parts(const struct bpf_trace *t);
/* The sums so far; *n: their number. They change while it traces. A row with 0 calls has been made,
 * but not filled yet. */
const struct trace_sum *bpf_trace_sums(const struct bpf_trace *t, size_t *n);

#endif
