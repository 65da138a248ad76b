/* SPDX-License-Identifier: MIT */
/*
 * Counts how long something takes that begins and ends in a task, as a histogram. Included by a
 * program that calls call_begin() and call_end().
 */
#ifndef BPF_LATENCY_H
#define BPF_LATENCY_H

#include "follow.h"
#include "os/bpf/state/latency_state.h"

#define CALLS 8 /* of the function at a time in a task: recursion, and interrupts */

const volatile struct latency_wants wants;
struct latency_state state;

struct call {
	__u64 frame; /* tells calls of one task apart */
	__u64 begun; /* ns */
};
struct calls {
	__u32 n;
	struct call at[CALLS];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct calls);
} task_calls SEC(".maps");

static __always_inline bool is_wanted(struct task_struct *task)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return state.on && (!wants.by_task || followed_get(task)) &&
	       (!wants.by_cpu || (cpu < LATENCY_CPUS && state.cpu_wanted[cpu]));
}

static __always_inline void call_begin(__u64 frame)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct calls *c;
	__u32 n;

	if (!is_wanted(task))
		return;
	c = bpf_task_storage_get(&task_calls, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	n = c ? c->n : CALLS;
	if (n >= CALLS) {
		__sync_fetch_and_add(&state.lost, 1);
		return;
	}
	c->at[n].frame = frame;
	c->n = n + 1;
	c->at[n].begun = bpf_ktime_get_ns();
}

static __always_inline void count(__u64 ns)
{
	__u64 v = wants.nsec ? ns : ns / 1000, i = 0;

	if (!wants.width) {
		for (int shift = 32; shift; shift >>= 1)
			if (v >> shift) {
				v >>= shift;
				i += shift;
			}
		i += v; /* 1, or 0 when there was nothing */
	} else if (v >= wants.most) {
		i = wants.n_buckets - 1;
	} else if (v >= wants.least) {
		i = (v - wants.least) / wants.width + 1;
	}
	if (i >= wants.n_buckets)
		i = wants.n_buckets - 1;
	__sync_fetch_and_add(&state.counts[i & (LATENCY_BUCKETS - 1)], 1);
}

/* Counts the innermost call of this frame. Calls within it whose end was not seen are dropped. */
static __always_inline void call_end(__u64 frame)
{
	const __u64 now = bpf_ktime_get_ns();
	struct calls *c = bpf_task_storage_get(&task_calls, bpf_get_current_task_btf(), NULL, 0);
	__u32 n = c ? c->n : 0;

	if (n > CALLS)
		return;
	for (int i = CALLS - 1; i >= 0; i--) {
		if ((__u32)i >= n || c->at[i].frame != frame)
			continue;
		c->n = i;
		if (state.on)
			count(now - c->at[i].begun);
		return;
	}
}

#endif
