// SPDX-License-Identifier: MIT
/*
 * Counts what a command and all that it starts do, without events that belong to tasks: the kernel
 * spends 350 ns and more on those at every context switch. Here a switch costs a look at the next
 * task; the clock and counters of a CPU are read only where it turns from tasks of the tree to
 * others or back. Loaded by os/bpf/tree.c.
 */
#include "kernel.h"
#include "os/bpf/tree_state.h"

#define COUNTERS_MOST 64

const volatile __u32 n_counters; /* of each CPU, to be read */
const volatile bool follow_forks;

bool on;

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct tree_member);
} members SEC(".maps");

/* A bit for each number of a task: it is a member. What a context switch looks at. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} member_bits SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* CPUs */
	__type(key, __u32);
	__type(value, struct tree_cpu);
} cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* CPUs * counters */
	__type(key, __u32);
	__type(value, struct tree_reading);
} readings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(max_entries, 1); /* CPUs * counters */
	__type(key, __u32);
	__type(value, int);
} counters SEC(".maps");

static __always_inline bool has_bit(__u32 pid)
{
	__u32 word = pid / 64;
	__u64 *bits = bpf_map_lookup_elem(&member_bits, &word);

	return bits && *bits & 1ull << (pid & 63);
}

static __always_inline void set_bit(__u32 pid, bool is)
{
	__u32 word = pid / 64;
	__u64 bit = 1ull << (pid & 63), *bits = bpf_map_lookup_elem(&member_bits, &word);

	if (!bits)
		return;
	if (is)
		__sync_fetch_and_or(bits, bit);
	else
		__sync_fetch_and_and(bits, ~bit);
}

static __always_inline struct tree_member *member_of(struct task_struct *task, bool create)
{
	return bpf_task_storage_get(&members, task, NULL,
				    create ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0);
}

static __always_inline void become_member(struct task_struct *task, struct tree_member *m)
{
	m->waits = 0;
	m->pid = (__u32)task->pid;
	set_bit(m->pid, true);
}

/* From here on this CPU's time and counters are the tree's, or no longer. */
static __noinline int turn(bool counted)
{
	__u32 number = bpf_get_smp_processor_id();
	struct tree_cpu *cpu = bpf_map_lookup_elem(&cpus, &number);
	__u64 now = bpf_ktime_get_ns();

	if (!cpu || cpu->counted == counted)
		return 0;
	__sync_fetch_and_add(&cpu->turns, 1);
	if (counted)
		cpu->since = now;
	else
		cpu->ns += now - cpu->since;
	cpu->counted = counted;
	for (__u32 i = 0; i < COUNTERS_MOST && i < n_counters; i++) {
		__u32 key = number * n_counters + i;
		struct tree_reading *r = bpf_map_lookup_elem(&readings, &key);
		struct bpf_perf_event_value v = {};

		if (!r || bpf_perf_event_read_value(&counters, key, &v, sizeof(v)))
			continue;
		if (!counted) {
			r->sum[0] += v.counter - r->since[0];
			r->sum[1] += v.enabled - r->since[1];
			r->sum[2] += v.running - r->since[2];
		}
		r->since[0] = v.counter;
		r->since[1] = v.enabled;
		r->since[2] = v.running;
	}
	__sync_fetch_and_add(&cpu->turns, 1);
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempted, struct task_struct *prev, struct task_struct *next)
{
	__u32 number = bpf_get_smp_processor_id();
	struct tree_cpu *cpu = bpf_map_lookup_elem(&cpus, &number);
	bool member = has_bit((__u32)next->pid);

	if (!cpu)
		return 0;
	if (cpu->counted) {
		cpu->switches++;
		if (!member)
			turn(false);
	} else if (member && on) {
		turn(true);
	}
	return 0;
}

/* A task counts once as migrated, however often it is moved before it runs again. */
SEC("tp_btf/sched_migrate_task")
int BPF_PROG(on_migrate, struct task_struct *task, int to)
{
	__u32 number = bpf_get_smp_processor_id();
	__u64 switches = task->nvcsw + task->nivcsw;
	struct tree_cpu *cpu;
	struct tree_member *m;

	if (!on || !has_bit((__u32)task->pid) || task->thread_info.cpu == (__u32)to)
		return 0;
	m = member_of(task, false);
	cpu = bpf_map_lookup_elem(&cpus, &number);
	if (!cpu || !m || m->switches == switches + 1)
		return 0;
	m->switches = switches + 1;
	cpu->migrations++;
	return 0;
}

/* Called for all that becomes a task, the kernel's workers for this one included. */
SEC("tp_btf/task_newtask")
int BPF_PROG(on_new, struct task_struct *child)
{
	struct task_struct *parent = bpf_get_current_task_btf();
	struct tree_member *m;

	if (!follow_forks || !has_bit((__u32)parent->pid))
		return 0;
	m = member_of(child, true);
	if (m)
		become_member(child, m);
	return 0;
}

/*
 * An exec gives the task its new name right after it has turned on the events that wait for it:
 * nothing that can be counted lies between. A thread that isn't its process's first has also got
 * that one's number by now.
 */
SEC("tp_btf/task_rename")
int BPF_PROG(on_rename, struct task_struct *task)
{
	struct tree_member *m = member_of(task, false);

	if (!m)
		return 0;
	if (m->waits) {
		become_member(task, m);
		if (on)
			turn(true);
	} else if (m->pid && m->pid != (__u32)task->pid) {
		set_bit(m->pid, false);
		become_member(task, m);
	}
	return 0;
}

/* Events of a task end here (Linux 6.16), before its memory is given back. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	struct tree_member *m;

	if (!has_bit((__u32)task->pid))
		return 0;
	set_bit((__u32)task->pid, false);
	m = member_of(task, false);
	if (m)
		m->pid = 0;
	return turn(false);
}

/* Attached to nothing: user space runs it on a CPU when on has changed. */
SEC("raw_tp/none")
int on_toggle(void *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();

	return turn(on && has_bit((__u32)task->pid));
}
