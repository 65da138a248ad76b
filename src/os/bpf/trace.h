/* SPDX-License-Identifier: MIT */
/*
 * System calls as they happen, with the user memory that their arguments point to: a record for
 * each call, through a ring buffer that all CPUs share. Or, with sums, only how many calls of each
 * kind a thread made, and how long they took.
 *
 * What a call's record carries is its plan (bpf_trace_plan); a call without a plan is not traced.
 */
#ifndef OS_BPF_TRACE_H
#define OS_BPF_TRACE_H

#include "base/err.h"
#include "os/bpf/trace_record.h"

#include <stdbool.h>
#include <stddef.h>

struct bpf_trace_options {
	bool by_task; /* followed tasks only, else all but this process */
	bool inherit; /* what a followed task starts is followed */
	bool by_uid;  /* tasks of that user */
	uint32_t uid;
	uint64_t cgroup; /* tasks in it, by the kernel's id (os/machine/cgroup.h); 0: any */
	const int *cpus; /* only on these, n_cpus; NULL: all */
	size_t n_cpus;
	bool sums, sum_errors; /* sum_errors: each error apart, too */
	bool sum_cgroups;      /* with .sums: each control group of a task apart */
	bool failures;	       /* only calls that failed */
	uint64_t least_ns;     /* only calls that took as long */
	uint32_t string_size;  /* bytes of a buffer that are copied, at most 1024 */
	size_t ring_bytes;     /* a power of two of at least a page */
	/* Of calls that read or write these descriptors, send all bytes (TRACE_DATA): a byte that
	 * is not 0 for each of TRACE_FDS descriptors, and whether those above are meant, too. NULL:
	 * none. */
	const uint8_t *dump_fds;
	bool dump_others;
};

struct bpf_trace;

/* Loads and attaches it; it traces nothing yet. NULL with *err. */
struct bpf_trace *bpf_trace_new(const struct bpf_trace_options *opts, struct err *err);
void bpf_trace_free(struct bpf_trace *t);
/* To be filled in; NULL: there is no such number. */
struct trace_plan *bpf_trace_plan(struct bpf_trace *t, unsigned int abi, int number);
/* Follows a task from now on, or from its next exec. 0 or a negative errno. */
int bpf_trace_follow(struct bpf_trace *t, int tid, bool on_exec);
void bpf_trace_switch(struct bpf_trace *t, bool on);
/* Becomes readable when much has gathered. */
int bpf_trace_fd(const struct bpf_trace *t);
/* The next record with its pieces, valid until the next call; NULL: there is none now. */
const struct trace_record *bpf_trace_next(struct bpf_trace *t);
/* Records, or sums, that there was no room for. */
uint64_t bpf_trace_lost(const struct bpf_trace *t);
/* Parts (TRACE_DATA) that there was no room for. */
uint64_t bpf_trace_lost_parts(const struct bpf_trace *t);
/* The sums up to now, *n; they go on while it traces. Rows without calls have only begun. */
const struct trace_sum *bpf_trace_sums(const struct bpf_trace *t, size_t *n);

#endif
