/* SPDX-License-Identifier: MIT */
/*
 * Raw data of the tracepoints sched:sched_switch and sched:sched_waking, as Linux 4.x to 6.18 lays
 * it out (events/sched/NAME/format). Shared with bpf/scheduler.bpf.c.
 */
#ifndef OS_BPF_SCHEDULER_STATE_H
#define OS_BPF_SCHEDULER_STATE_H

#include <linux/types.h>

/* Why a task that could go on running left the CPU. Tracepoints have 0 there, or other data. */
#define SCHEDULER_PREEMPTED 0x70726501u
#define SCHEDULER_THROTTLED 0x70726502u /* its control group has used up its time */

struct scheduler_switch {
	__u16 type; /* the tracepoint's id */
	__u8 flags, preempt_count;
	__s32 common_pid;
	char prev_comm[16];
	__s32 prev_pid, prev_prio;
	__s64 prev_state;
	char next_comm[16];
	__s32 next_pid, next_prio;
	/* SCHEDULER_*, where the tracepoint has padding: to a multiple of 8, less 4 */
	__u32 preemption;
} __attribute__((packed));
#define SCHEDULER_SWITCH_SIZE 68

struct scheduler_waking {
	__u16 type;
	__u8 flags, preempt_count;
	__s32 common_pid;
	char comm[16];
	__s32 pid, prio, target_cpu;
	__s32 padding; /* to the size that the ring gives raw data: a multiple of 8, less 4 */
};

#endif
