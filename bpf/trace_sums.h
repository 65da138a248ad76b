/* SPDX-License-Identifier: MIT */
/*
 * Sums of calls by thread and call, without a record for each: rows of an array, which user space
 * maps. A hash table says which row a call has; each task remembers the rows of its recent calls,
 * so that the table is asked only for a call that is new or rare. A row is written by its own
 * thread only. Included by trace.bpf.c.
 */
#ifndef BPF_TRACE_SUMS_H
#define BPF_TRACE_SUMS_H

#include "kernel.h"
#include "os/bpf/state/trace_record.h"

#define RECENT_CALLS 16 /* a power of two */

const volatile bool sum_errors, sum_cgroups;
__u64 lost_sums;
__u32 n_sums; /* rows in use; more than TRACE_SUMS when they did not suffice */

/* A task's call that has begun. */
struct began {
	__u64 ns;
	__s16 number;
	__u16 abi;
	__u32 wanted; /* the task is: it stays so */
	struct {
		struct trace_sum_key key; /* its tid 0: none */
		__u32 row;
	} recent[RECENT_CALLS];
};
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct began);
} begun SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* set when it is loaded */
	__type(key, struct trace_sum_key);
	__type(value, __u32);
} sum_rows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* set when it is loaded */
	__type(key, __u32);
	__type(value, struct trace_sum);
} sum_table SEC(".maps");

static __always_inline void sum_add_square(struct trace_sum *s, __u64 ns)
{
	__u64 square, low;
	__u32 shift = 0;

	if (ns >> 32) { /* of such times a part in 60000 is below what is looked at */
		ns >>= 16;
		if (ns >> 32)
			ns = 0xffffffff;
		shift = 32;
	}
	square = ns * ns;
	low = square << shift;
	s->squares_low += low;
	if (s->squares_low < low)
		s->squares_high++;
	if (shift)
		s->squares_high += square >> 32;
}

static __always_inline void sum_add(struct trace_sum *s, __u64 ns, __u32 failed)
{
	s->calls++;
	s->errors += failed;
	s->sum_ns += ns;
	if (ns < s->min_ns)
		s->min_ns = ns;
	if (ns > s->max_ns)
		s->max_ns = ns;
	sum_add_square(s, ns);
}

/* The row of a key that no row had. */
static struct trace_sum *sum_new(struct trace_sum_key *key, __u32 pid, __u32 *row)
{
	struct trace_sum *s;

	*row = __sync_fetch_and_add(&n_sums, 1);
	s = *row < TRACE_SUMS ? bpf_map_lookup_elem(&sum_table, row) : NULL;
	if (!s) {
		__sync_fetch_and_sub(&n_sums, 1);
		return NULL;
	}
	s->key = *key;
	s->min_ns = ~0ull;
	s->pid = pid;
	bpf_get_current_comm(s->comm, sizeof(s->comm));
	/* A row that the table of rows has no room for is summed once more under another row. */
	bpf_map_update_elem(&sum_rows, key, row, BPF_ANY);
	return s;
}

/* NULL: there was no room for one more, which is counted. */
static struct trace_sum *sum_find(struct trace_sum_key *key, __u32 pid, __u32 *row)
{
	__u32 *known = bpf_map_lookup_elem(&sum_rows, key);
	struct trace_sum *s;

	if (known) {
		*row = *known;
		return bpf_map_lookup_elem(&sum_table, row);
	}
	s = sum_new(key, pid, row);
	if (!s)
		__sync_fetch_and_add(&lost_sums, 1);
	return s;
}

/* The task's group in the hierarchy of perf events. */
static __always_inline struct cgroup *cgroup_of(struct task_struct *task)
{
	int index = bpf_core_enum_value(enum cgroup_subsys_id, perf_event_cgrp_id);

	return BPF_CORE_READ(task, cgroups, subsys[index], cgroup);
}

static __always_inline int sums_begin(struct began *b, __u32 abi, long number)
{
	b->number = number;
	b->abi = abi;
	b->ns = bpf_ktime_get_ns();
	return 0;
}

static __always_inline int sums_end(struct began *b, struct task_struct *task, __u64 ns,
				    __u32 error)
{
	__u32 at = b->number & (RECENT_CALLS - 1);
	struct trace_sum_key key = {task->pid, b->number, b->abi, 0};
	struct trace_sum *s;
	__u32 row;

	if (sum_cgroups)
		key.cgroup = BPF_CORE_READ(cgroup_of(task), kn, id);
	if (b->recent[at].key.tid == key.tid && b->recent[at].key.number == key.number &&
	    b->recent[at].key.abi_error == key.abi_error &&
	    (!sum_cgroups || b->recent[at].key.cgroup == key.cgroup)) {
		row = b->recent[at].row;
		s = bpf_map_lookup_elem(&sum_table, &row);
	} else {
		s = sum_find(&key, task->tgid, &row);
		if (s) {
			b->recent[at].key = key;
			b->recent[at].row = row;
		}
	}
	if (s)
		sum_add(s, ns, error != 0);
	if (sum_errors && error) {
		key.abi_error |= error << 4;
		s = sum_find(&key, task->tgid, &row);
		if (s)
			sum_add(s, ns, 1);
	}
	return 0;
}

#endif
