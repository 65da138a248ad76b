// SPDX-License-Identifier: MIT
/*
 * Sums up how long interrupts, soft interrupts and work items ran, or how long they waited to run.
 * A row is of one CPU, and written there only. Loaded by os/bpf/kwork.c.
 */
#include "kernel.h"
#include "os/bpf/state/kwork_state.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct irqaction {
	const char *name;
};
struct work_struct {
	void *func;
};

#pragma clang attribute pop

const volatile bool of_delays; /* from raise to entry, else from entry to exit */
const volatile bool by_cpu;    /* CPUs of cpu_wanted only */

bool on;
__u8 cpu_wanted[KWORK_CPUS];
__u64 lost; /* there was no room for a row */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* set when it is loaded */
	__type(key, struct kwork_slot);
	__type(value, struct kwork_sum);
} works SEC(".maps");

static __always_inline bool key_make(struct kwork_slot *key, __u32 class, __u64 id)
{
	__u32 cpu = bpf_get_smp_processor_id();

	if (!on || (by_cpu && (cpu >= KWORK_CPUS || !cpu_wanted[cpu])))
		return false;
	key->class = class;
	key->cpu = cpu;
	key->id = id;
	return true;
}

/* The row, made when it is new; NULL: there is no room, or it is not wanted. */
static __always_inline struct kwork_sum *begin(__u32 class, __u64 id)
{
	static const struct kwork_sum none;
	struct kwork_slot key;
	struct kwork_sum *s;

	if (!key_make(&key, class, id))
		return NULL;
	s = bpf_map_lookup_elem(&works, &key);
	if (!s) {
		if (bpf_map_update_elem(&works, &key, &none, BPF_NOEXIST))
			__sync_fetch_and_add(&lost, 1);
		s = bpf_map_lookup_elem(&works, &key);
	}
	if (s)
		s->begun = bpf_ktime_get_ns();
	return s;
}

static __always_inline int end(__u32 class, __u64 id)
{
	struct kwork_slot key;
	struct kwork_sum *s;
	__u64 now, ns;

	if (!key_make(&key, class, id))
		return 0;
	s = bpf_map_lookup_elem(&works, &key);
	if (!s || !s->begun)
		return 0;
	now = bpf_ktime_get_ns();
	ns = now - s->begun;
	if (ns > s->max_ns || !s->max_ns) {
		s->max_ns = ns;
		s->max_start = s->begun;
		s->max_end = now;
	}
	s->total_ns += ns;
	s->count++;
	s->begun = 0;
	return 0;
}

SEC("tp_btf/irq_handler_entry")
int BPF_PROG(on_irq_entry, int irq, struct irqaction *action)
{
	struct kwork_sum *s = begin(KWORK_OF_IRQ, irq);

	if (s && !s->name[0])
		bpf_probe_read_kernel_str(s->name, sizeof(s->name), action->name);
	return 0;
}

SEC("tp_btf/irq_handler_exit")
int BPF_PROG(on_irq_exit, int irq)
{
	return end(KWORK_OF_IRQ, irq);
}

SEC("tp_btf/softirq_raise")
int BPF_PROG(on_vector_raise, unsigned int vector)
{
	begin(KWORK_OF_SOFTIRQ, vector);
	return 0;
}

SEC("tp_btf/softirq_entry")
int BPF_PROG(on_vector_entry, unsigned int vector)
{
	if (of_delays)
		return end(KWORK_OF_SOFTIRQ, vector);
	begin(KWORK_OF_SOFTIRQ, vector);
	return 0;
}

SEC("tp_btf/softirq_exit")
int BPF_PROG(on_vector_exit, unsigned int vector)
{
	return end(KWORK_OF_SOFTIRQ, vector);
}

static __always_inline int item_begin(struct work_struct *work)
{
	struct kwork_sum *s = begin(KWORK_OF_WORKQUEUE, (__u64)work);

	if (s && !s->function)
		s->function = (__u64)work->func;
	return 0;
}

SEC("tp_btf/workqueue_activate_work")
int BPF_PROG(on_item_raise, struct work_struct *work)
{
	return item_begin(work);
}

SEC("tp_btf/workqueue_execute_start")
int BPF_PROG(on_item_start, struct work_struct *work)
{
	return of_delays ? end(KWORK_OF_WORKQUEUE, (__u64)work) : item_begin(work);
}

/* The item may have been freed by its function. */
SEC("tp_btf/workqueue_execute_end")
int BPF_PROG(on_item_end, void *work)
{
	return end(KWORK_OF_WORKQUEUE, (__u64)work);
}
