// SPDX-License-Identifier: MIT
/* Counts system calls by their numbers, at their beginning and end. Loaded by os/bpf/syscalls.c. */
#include "follow.h"

#define NUMBERS 1024 /* more than any architecture has */

const volatile bool by_task; /* followed tasks only, else all */
const volatile bool by_cpu;  /* each CPU has rows of its own */
const volatile __u32 n_cpus, n_counters;

bool on;
__u16 enter_counter[NUMBERS], exit_counter[NUMBERS]; /* 1 + which counter, 0: none */

/* [(slot * n_cpus + cpu) * n_counters + counter], or [slot * n_counters + counter] */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* set when it is loaded */
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

/* The kernel's own syscalls:* tracepoints leave out what 32-bit programs call. */
static __always_inline bool is_compat(struct task_struct *task)
{
#if defined(__TARGET_ARCH_x86)
	return task->thread_info.status & 2; /* TS_COMPAT */
#elif defined(__TARGET_ARCH_arm64)
	return task->thread_info.flags & 1u << 22; /* TIF_32BIT */
#else
	return false;
#endif
}

static __always_inline int count(const __u16 *counter_of, long number)
{
	struct task_struct *task;
	__u32 counter, row = 0, key;
	__u64 *value;

	if (!on || (unsigned long)number >= NUMBERS)
		return 0;
	counter = counter_of[number];
	if (!counter)
		return 0;
	task = bpf_get_current_task_btf();
	if (by_task) {
		struct followed *f = followed_get(task);

		if (!f)
			return 0;
		row = f->slot;
	}
	if (is_compat(task))
		return 0;
	if (by_cpu)
		row = row * n_cpus + bpf_get_smp_processor_id();
	key = row * n_counters + counter - 1;
	value = bpf_map_lookup_elem(&counts, &key);
	if (!value)
		return 0;
	if (by_cpu)
		++*value;
	else
		__sync_fetch_and_add(value, 1);
	return 0;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(on_enter, struct pt_regs *regs, long number)
{
	return count(enter_counter, number);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(on_exit, struct pt_regs *regs)
{
#if defined(__TARGET_ARCH_x86)
	return count(exit_counter, (long)regs->orig_ax);
#elif defined(__TARGET_ARCH_arm64)
	return count(exit_counter, regs->syscallno);
#else
	return 0;
#endif
}
