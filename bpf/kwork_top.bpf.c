// SPDX-License-Identifier: MIT
/*
 * How long each task ran on each CPU, without the interrupts that came meanwhile, whose time is
 * summed up apart. A CPU writes its own rows alone. Loaded by os/bpf/kwork_top.c.
 */
#include "kernel.h"
#include "os/bpf/state/kwork_top_state.h"

#define KTHREAD 0x00200000 /* PF_KTHREAD, include/linux/sched.h */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct task_struct___flags {
	unsigned int flags;
};

#pragma clang attribute pop

bool on;
__u64 lost; /* there was no room for a row */

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* these are set when it is loaded */
	__type(key, __u32);
	__type(value, struct kwork_top_cpu);
} cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct kwork_top_slot);
	__type(value, struct kwork_top_part);
} parts SEC(".maps");

static __always_inline struct kwork_top_cpu *this_cpu(void)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return on ? bpf_map_lookup_elem(&cpus, &cpu) : NULL;
}

static __always_inline struct kwork_top_part *part_of(struct task_struct *task)
{
	struct task_struct___flags *flags = (void *)task;
	struct kwork_top_slot slot = {.cpu = bpf_get_smp_processor_id(),
				      .tid = BPF_CORE_READ(task, pid)};
	struct kwork_top_part *part = bpf_map_lookup_elem(&parts, &slot), first = {};

	if (part)
		return part;
	first.tgid = BPF_CORE_READ(task, tgid);
	first.is_kthread = (BPF_CORE_READ(flags, flags) & KTHREAD) != 0;
	if (bpf_map_update_elem(&parts, &slot, &first, BPF_NOEXIST))
		__sync_fetch_and_add(&lost, 1);
	return bpf_map_lookup_elem(&parts, &slot);
}

/* Adds up the task that ran until now. The program is not run at every switch of a busy kernel:
 * when the one to this task is missing, the time since the last one that was seen counts as the
 * task's. */
static __always_inline void charge(struct kwork_top_cpu *c, struct task_struct *task, __u64 now)
{
	__u64 ns = now - c->since, taken = c->irq_now + c->softirq_now;
	struct kwork_top_part *part;

	if (!c->since)
		return;
	c->total_ns += ns;
	c->irq_ns += c->irq_now;
	c->softirq_ns += c->softirq_now;
	part = part_of(task);
	if (!part)
		return;
	part->ns += taken < ns ? ns - taken : 0;
	bpf_probe_read_kernel_str(part->comm, sizeof(part->comm), &task->comm);
}

static __always_inline void start(struct kwork_top_cpu *c, __u64 now)
{
	c->since = now;
	c->irq_since = c->softirq_since = 0;
	c->irq_now = c->softirq_now = c->nested_now = 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct kwork_top_cpu *c = this_cpu();
	__u64 now = bpf_ktime_get_ns();

	if (c) {
		charge(c, prev, now);
		start(c, now);
	}
	return 0;
}

/* Attached to nothing: user space runs it on each CPU at the beginning and at the end. */
SEC("raw_tp/none")
int on_look(void *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct kwork_top_cpu *c = this_cpu();
	__u64 now = bpf_ktime_get_ns();

	if (c) {
		charge(c, task, now);
		start(c, now);
	}
	return 0;
}

SEC("tp_btf/irq_handler_entry")
int BPF_PROG(on_irq_entry)
{
	struct kwork_top_cpu *c = this_cpu();

	if (c)
		c->irq_since = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/irq_handler_exit")
int BPF_PROG(on_irq_exit)
{
	struct kwork_top_cpu *c = this_cpu();
	__u64 ns;

	if (!c || !c->irq_since)
		return 0;
	ns = bpf_ktime_get_ns() - c->irq_since;
	c->irq_now += ns;
	if (c->softirq_since)
		c->nested_now += ns;
	c->irq_since = 0;
	return 0;
}

SEC("tp_btf/softirq_entry")
int BPF_PROG(on_vector_entry)
{
	struct kwork_top_cpu *c = this_cpu();

	if (c) {
		c->softirq_since = bpf_ktime_get_ns();
		c->nested_now = 0;
	}
	return 0;
}

SEC("tp_btf/softirq_exit")
int BPF_PROG(on_vector_exit)
{
	struct kwork_top_cpu *c = this_cpu();
	__u64 ns;

	if (!c || !c->softirq_since)
		return 0;
	ns = bpf_ktime_get_ns() - c->softirq_since;
	c->softirq_now += ns > c->nested_now ? ns - c->nested_now : 0;
	c->softirq_since = 0;
	return 0;
}
