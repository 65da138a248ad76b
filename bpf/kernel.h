/* SPDX-License-Identifier: MIT */
/*
 * The kernel's types as far as the programs of this folder look into them. Only names and types
 * matter: where a field lies is found out when a program is loaded, from the running kernel's own
 * description of itself (CO-RE). Nothing here is generated, and nothing is missing that was needed.
 */
#ifndef BPF_KERNEL_H
#define BPF_KERNEL_H

#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info {
	unsigned long flags;
	__u32 status; /* x86 */
	__u32 cpu;
};

struct sched_entity {
	__u64 sum_exec_runtime;
	__u64 prev_sum_exec_runtime; /* what it was when the task began to run */
};

struct kernfs_node {
	__u64 id;
};

struct cgroup {
	struct kernfs_node *kn;
	int level;
	struct cgroup *ancestors[]; /* and itself at the end */
};

struct cgroup_subsys_state {
	struct cgroup *cgroup;
};

enum cgroup_subsys_id {
	perf_event_cgrp_id, /* not its value */
	CGROUP_SUBSYS_COUNT = 64,
};

struct css_set {
	struct cgroup_subsys_state *subsys[CGROUP_SUBSYS_COUNT];
};

struct task_struct {
	struct thread_info thread_info;
	struct sched_entity se;
	int pid, tgid;
	unsigned long nvcsw, nivcsw, min_flt, maj_flt;
	__u64 start_time;
	struct css_set *cgroups;
	char comm[16];
	unsigned in_execve : 1;
};

struct perf_sample_data {
	__u64 period;
	struct {
		__u32 pid, tid;
	} tid_entry;
	__u64 time, id;
	struct {
		__u32 cpu;
	} cpu_entry;
	__u64 ip;
	union perf_sample_weight {
		__u64 full;
	} weight;
	union perf_mem_data_src {
		__u64 val;
	} data_src;
	__u64 txn, cgroup, addr, phys_addr, data_page_size, code_page_size;
};

struct bpf_iter__task {
	struct task_struct *task; /* NULL: there are no more */
};

struct bpf_perf_event_data_kern {
	struct perf_sample_data *data;
};

#if defined(__TARGET_ARCH_x86)
struct pt_regs {
	unsigned long r10, r9, r8, bp, bx, cx, dx, si, di, orig_ax;
};
#elif defined(__TARGET_ARCH_arm64)
struct pt_regs {
	__u64 regs[31];
	__u64 orig_x0;
	__s32 syscallno;
};
#endif

#pragma clang attribute pop

/* Some of what programs may call is for those under the GPL only. */
char licence[] SEC("license") = "Dual MIT/GPL";

#endif
