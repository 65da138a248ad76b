/* SPDX-License-Identifier: MIT */
/* What bpf/kwork_top.bpf.c keeps, as user space reads it. Private to os/bpf/. */
#ifndef OS_BPF_KWORK_TOP_STATE_H
#define OS_BPF_KWORK_TOP_STATE_H

#include <stdint.h>

struct kwork_top_cpu {
	uint64_t total_ns, irq_ns, softirq_ns;	   /* irq_ns: also within soft interrupts */
	uint64_t since;				   /* ns: current task switched in; 0: not known */
	uint64_t irq_since, softirq_since;	   /* 0: not in one */
	uint64_t irq_now, softirq_now, nested_now; /* since the task began */
};

struct kwork_top_slot {
	uint32_t cpu, tid;
};

struct kwork_top_part {
	uint64_t ns; /* without interrupts */
	uint32_t tgid;
	uint32_t is_kthread;
	char comm[16];
};

#endif
