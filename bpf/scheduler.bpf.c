// SPDX-License-Identifier: MIT
/*
 * Writes a sample into perf's rings when a task leaves a CPU or is woken up. Its raw data is laid
 * out as that of the tracepoints sched:sched_switch and sched:sched_waking. Loaded by
 * os/bpf/scheduler.c.
 */
#include "follow.h"
#include "throttled.h"
#include "os/bpf/state/scheduler_state.h"

#define FLAG_HARDIRQ	  0x08 /* include/linux/trace_events.h */
#define FLAG_SOFTIRQ	  0x10
#define COUNT_HARDIRQ	  0xf0000 /* include/linux/preempt.h: bits of the preemption count */
#define COUNT_SOFTIRQ	  0x100
#define STATES_SHOWN	  0x7f	/* include/linux/sched.h: TASK_REPORT */
#define STATE_IDLE	  0x80	/* TASK_REPORT_IDLE */
#define STATE_PREEMPTED	  0x100 /* TASK_REPORT_MAX */
#define STATE_SLEEPS_IDLE 0x402 /* TASK_IDLE */
#define ENOENT		  2
#define ENOSPC		  28
#define EOPNOTSUPP	  95

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info___count {
	int preempt_count; /* arm64 */
};
struct task_struct___scheduler {
	struct thread_info___count thread_info;
	int prio, exit_state;
};

#pragma clang attribute pop

const volatile __u16 switch_type, waking_type; /* the tracepoints' ids */

bool by_task; /* tasks of followed_tasks only, else all */
__u64 missed; /* samples that could not be written, and that no ring counts as lost */

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(max_entries, 1); /* these are set when it is loaded */
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} switches SEC(".maps"), wakings SEC(".maps");

static __always_inline bool is_wanted(struct task_struct *task)
{
	return !by_task || followed_get(task);
}

/* x86 keeps the count in a variable of the CPU, which only some kernels name to programs: there the
 * call chain alone tells that an interrupt wakes the task. */
static __always_inline __u8 interrupt_flags(void)
{
	struct task_struct___scheduler *task = (void *)bpf_get_current_task_btf();
	int count = 0;

	if (bpf_core_field_exists(task->thread_info.preempt_count))
		count = BPF_CORE_READ(task, thread_info.preempt_count);
	return (count & COUNT_HARDIRQ ? FLAG_HARDIRQ : 0) |
	       (count & COUNT_SOFTIRQ ? FLAG_SOFTIRQ : 0);
}

/* As the tracepoint shows it: the highest bit of the state. */
static __always_inline __s64 state_shown(struct task_struct *task, bool preempted, __u32 state)
{
	struct task_struct___scheduler *t = (void *)task;
	__u32 bits = (state | (__u32)BPF_CORE_READ(t, exit_state)) & STATES_SHOWN;

	if (preempted)
		return STATE_PREEMPTED;
	if ((state & STATE_SLEEPS_IDLE) == STATE_SLEEPS_IDLE)
		return STATE_IDLE;
	for (__u32 bit = 0x40; bit; bit >>= 1)
		if (bits & bit)
			return bit;
	return 0;
}

/* Counts what neither a ring that is full (ENOSPC) nor an event that is off explains. */
static __always_inline void note_result(long got)
{
	if (got && got != -ENOSPC && got != -ENOENT && got != -EOPNOTSUPP)
		__sync_fetch_and_add(&missed, 1);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	struct task_struct___scheduler *from = (void *)prev, *to = (void *)next;
	struct scheduler_switch raw = {.type = switch_type, .preemption = SCHEDULER_PREEMPTED};

	if (!is_wanted(prev) && !is_wanted(next))
		return 0;
	raw.common_pid = raw.prev_pid = BPF_CORE_READ(prev, pid);
	raw.prev_prio = BPF_CORE_READ(from, prio);
	raw.prev_state = state_shown(prev, preempt, prev_state);
	if ((preempt || !prev_state) && task_is_throttled(prev))
		raw.preemption = SCHEDULER_THROTTLED;
	raw.next_pid = BPF_CORE_READ(next, pid);
	raw.next_prio = BPF_CORE_READ(to, prio);
	bpf_probe_read_kernel(raw.prev_comm, sizeof(raw.prev_comm), prev->comm);
	bpf_probe_read_kernel(raw.next_comm, sizeof(raw.next_comm), next->comm);
	note_result(bpf_perf_event_output(ctx, &switches, BPF_F_CURRENT_CPU, &raw, sizeof(raw)));
	return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking, struct task_struct *task)
{
	struct task_struct___scheduler *t = (void *)task;
	struct scheduler_waking raw = {.type = waking_type};

	if (!is_wanted(task))
		return 0;
	raw.flags = interrupt_flags();
	raw.common_pid = (__s32)bpf_get_current_pid_tgid();
	raw.pid = BPF_CORE_READ(task, pid);
	raw.prio = BPF_CORE_READ(t, prio);
	raw.target_cpu = (__s32)BPF_CORE_READ(task, thread_info.cpu);
	bpf_probe_read_kernel(raw.comm, sizeof(raw.comm), task->comm);
	note_result(bpf_perf_event_output(ctx, &wakings, BPF_F_CURRENT_CPU, &raw, sizeof(raw)));
	return 0;
}
