// SPDX-License-Identifier: MIT
/*
 * Counts what some tasks do, without events that belong to tasks: the kernel spends 350 ns and more
 * on those at every context switch. Here a switch costs a look at the next task; the clock and
 * counters of a CPU are read only where it turns to tasks that count elsewhere or not at all.
 * Loaded by os/bpf/tasks.c.
 */
#include "kernel.h"
#include "os/bpf/tasks.h"
#include "os/bpf/state/tasks_state.h"

const volatile __u32 n_cpus, n_slots;
const volatile __u32 n_counters;	       /* of each CPU, to be read */
const volatile __u8 kinds[BPF_TASKS_COUNTERS]; /* enum bpf_tasks_kind */
const volatile bool everything;		       /* every task counts, in slot 0 */
const volatile bool by_cpu;		       /* each CPU has rows of its own */
const volatile bool follow_forks;

bool on;
bool anew;   /* it has just been turned on: nothing counted before this moment */
int alive;   /* tasks that count and haven't ended */
int joining; /* tasks that are to count and haven't been seen since that was said */

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct tasks_member);
} members SEC(".maps");

/* A bit for each number of a task: it counts. What a context switch looks at first. */
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
	__type(value, struct tasks_cpu);
} cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* rows */
	__type(key, __u32);
	__type(value, struct tasks_sum);
} sums SEC(".maps");

/* Of each CPU and counter, when what runs there began to. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct tasks_reading);
} begun SEC(".maps");

/* [row * n_counters + counter] */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct tasks_reading);
} counted SEC(".maps");

/* For each counter, the events of all CPUs: such an array may be shared with others who count. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, BPF_TASKS_COUNTERS);
	__type(key, __u32);
	__array(
		values, struct {
			__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
			__uint(map_flags, BPF_F_PRESERVE_ELEMS);
			__uint(max_entries, 1);
			__type(key, __u32);
			__type(value, __u32);
		});
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

static __always_inline struct tasks_member *member_of(struct task_struct *task, bool create)
{
	return bpf_task_storage_get(&members, task, NULL,
				    create ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0);
}

static __always_inline void begin(struct task_struct *task, struct tasks_member *m)
{
	if (m->state != TASK_COUNTS)
		__sync_fetch_and_add(&alive, 1);
	m->state = TASK_COUNTS;
	m->pid = (__u32)task->pid;
	set_bit(m->pid, true);
}

static __always_inline void add(uint64_t *to, uint64_t what)
{
	if (by_cpu)
		*to += what;
	else
		__sync_fetch_and_add(to, what);
}

static __always_inline __u32 row_of(__u32 slot, __u32 number)
{
	return by_cpu ? slot * n_cpus + number : slot;
}

/* 1 + the slot of a task, 0 when it doesn't count. */
static __always_inline __u32 slot_of(struct task_struct *task)
{
	struct tasks_member *m;

	if (everything)
		return 1;
	if (has_bit((__u32)task->pid)) {
		if (n_slots == 1)
			return 1;
		m = member_of(task, false);
		return m ? m->slot + 1 : 0;
	}
	if (!joining)
		return 0;
	m = member_of(task, false);
	if (!m || m->state != TASK_JOINS)
		return 0;
	__sync_fetch_and_add(&joining, -1);
	begin(task, m);
	return m->slot + 1;
}

struct reading_of {
	__u32 number; /* of the CPU */
	__u32 row;
	bool runs; /* what was counted until now goes to the row */
};

static int read_counter(__u32 i, struct reading_of *of)
{
	__u32 key = of->number * n_counters + i, to = of->row * n_counters + i;
	struct tasks_reading *since = bpf_map_lookup_elem(&begun, &key), *sum;
	void *events = bpf_map_lookup_elem(&counters, &i);
	struct bpf_perf_event_value v = {};

	if (!since || !events ||
	    bpf_perf_event_read_value(events, BPF_F_CURRENT_CPU, &v, sizeof(v)))
		return 0;
	sum = of->runs ? bpf_map_lookup_elem(&counted, &to) : NULL;
	if (sum) {
		add(&sum->at[0], v.counter - since->at[0]);
		add(&sum->at[1], v.enabled - since->at[1]);
		add(&sum->at[2], v.running - since->at[2]);
	}
	since->at[0] = v.counter;
	since->at[1] = v.enabled;
	since->at[2] = v.running;
	return 0;
}

/* From here on this CPU's time and counters are another slot's; what was goes to its own. */
static __noinline int turn(__u32 runs)
{
	__u32 number = bpf_get_smp_processor_id(), row;
	struct tasks_cpu *cpu = bpf_map_lookup_elem(&cpus, &number);
	struct reading_of of = {.number = number};
	struct tasks_sum *sum;
	__u64 now;

	if (!cpu || (!cpu->runs && !runs && !anew))
		return 0;
	now = bpf_ktime_get_ns();
	row = row_of(cpu->runs - 1, number);
	sum = cpu->runs ? bpf_map_lookup_elem(&sums, &row) : NULL;
	if (sum) {
		if (now > cpu->since)
			add(&sum->ns, now - cpu->since);
		add(&sum->switches, cpu->switches);
	}
	of.row = row;
	of.runs = cpu->runs;
	if (n_counters)
		bpf_loop(n_counters, read_counter, &of, 0);
	cpu->switches = 0;
	cpu->since = now;
	cpu->runs = runs;
	return 0;
}

struct unseen_run {
	__u64 minor, major; /* faults */
	__u64 share;	    /* of the time unseen: 4096 is all */
	__u32 number;	    /* of the CPU */
};

static __always_inline __u64 share_of(__u64 value, __u64 share)
{
	return value / 4096 * share + value % 4096 * share / 4096;
}

/* A counter of this CPU as if it had been read when a task began to run. */
static int begin_late(__u32 i, struct unseen_run *r)
{
	__u32 key = r->number * n_counters + i, kind = kinds[i & (BPF_TASKS_COUNTERS - 1)];
	struct tasks_reading *since = bpf_map_lookup_elem(&begun, &key);
	void *events = bpf_map_lookup_elem(&counters, &i);
	struct bpf_perf_event_value v = {};
	__u64 value, own;

	if (!since || !events ||
	    bpf_perf_event_read_value(events, BPF_F_CURRENT_CPU, &v, sizeof(v)))
		return 0;
	value = v.counter - since->at[0];
	if (kind == TASKS_OTHER)
		own = share_of(value, r->share);
	else
		own = (kind != TASKS_MAJOR_FAULTS ? r->minor : 0) +
		      (kind != TASKS_MINOR_FAULTS ? r->major : 0);
	since->at[0] = v.counter - (own < value ? own : value);
	since->at[1] = v.enabled - share_of(v.enabled - since->at[1], r->share);
	since->at[2] = v.running - share_of(v.running - since->at[2], r->share);
	return 0;
}

/*
 * The kernel does not tell of switches from a task that may not be traced: one that counts may have
 * run here unseen after that. Its own accounts say how long and with how many faults; other
 * counters are shared by time.
 */
static __noinline int catch_up(struct tasks_cpu *cpu, struct task_struct *task)
{
	struct tasks_member *m = member_of(task, false);
	__u64 now = bpf_ktime_get_ns(), ran, of;
	struct unseen_run r;

	if (!m || m->state != TASK_COUNTS)
		return 0;
	r.minor = task->min_flt - m->minor;
	r.major = task->maj_flt - m->major;
	ran = task->se.sum_exec_runtime - task->se.prev_sum_exec_runtime;
	of = now - cpu->since + 1;
	if (ran > of)
		ran = of;
	r.share = ran * 4096 / of;
	r.number = bpf_get_smp_processor_id();
	cpu->since = now - ran;
	cpu->switches = 0;
	cpu->runs = m->slot + 1;
	if (n_counters)
		bpf_loop(n_counters, begin_late, &r, 0);
	return 0;
}

/* For the case that what it does next is not seen from its beginning. */
static __always_inline void turn_away(struct task_struct *task)
{
	struct tasks_member *m = member_of(task, false);

	if (m) {
		m->minor = task->min_flt;
		m->major = task->maj_flt;
	}
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempted, struct task_struct *prev, struct task_struct *next)
{
	__u32 number = bpf_get_smp_processor_id(), runs;
	struct tasks_cpu *cpu = bpf_map_lookup_elem(&cpus, &number);

	if (!cpu || !on)
		return 0;
	if (!cpu->runs && has_bit((__u32)prev->pid))
		catch_up(cpu, prev);
	runs = slot_of(next);
	cpu->switches++;
	if (cpu->runs != runs) {
		if (cpu->runs && n_counters && !everything)
			turn_away(prev);
		turn(runs);
	}
	return 0;
}

/* A task counts once as migrated, however often it is moved before it runs again. */
SEC("tp_btf/sched_migrate_task")
int BPF_PROG(on_migrate, struct task_struct *task, int to)
{
	__u32 number = bpf_get_smp_processor_id(), row;
	__u64 switches = task->nvcsw + task->nivcsw + 1;
	struct tasks_member *m;
	struct tasks_sum *sum;

	if (!on || !has_bit((__u32)task->pid) || task->thread_info.cpu == (__u32)to)
		return 0;
	m = member_of(task, false);
	if (!m || m->switches == switches)
		return 0;
	m->switches = switches;
	row = row_of(m->slot, number);
	sum = bpf_map_lookup_elem(&sums, &row);
	if (sum)
		add(&sum->migrations, 1);
	return 0;
}

/* Called for all that becomes a task, the kernel's workers for this one included. */
SEC("tp_btf/task_newtask")
int BPF_PROG(on_new, struct task_struct *child)
{
	struct task_struct *parent = bpf_get_current_task_btf();
	struct tasks_member *m, *of_parent;

	if (!follow_forks || !has_bit((__u32)parent->pid))
		return 0;
	of_parent = member_of(parent, false);
	m = member_of(child, true);
	if (m && of_parent) {
		m->slot = of_parent->slot;
		begin(child, m);
	}
	return 0;
}

/*
 * An exec gives the task its new name right after it has turned on the events that wait for it:
 * nothing that can be counted lies between. Tasks may rename themselves, too. A thread that isn't
 * its process's first has also got that one's number by now.
 */
SEC("tp_btf/task_rename")
int BPF_PROG(on_rename, struct task_struct *task)
{
	struct tasks_member *m = member_of(task, false);

	if (!m || !BPF_CORE_READ_BITFIELD(task, in_execve))
		return 0;
	if (m->state == TASK_WAITS) {
		begin(task, m);
		if (on)
			turn(m->slot + 1);
	} else if (m->state == TASK_COUNTS && m->pid != (__u32)task->pid) {
		set_bit(m->pid, false);
		begin(task, m);
	}
	return 0;
}

/* Events of a task end here (Linux 6.16), before its memory is given back. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	struct tasks_member *m = member_of(task, false);
	struct tasks_cpu *cpu;
	__u32 number;

	if (!m || m->state != TASK_COUNTS)
		return 0;
	number = bpf_get_smp_processor_id();
	cpu = bpf_map_lookup_elem(&cpus, &number);
	if (cpu && !cpu->runs && on)
		catch_up(cpu, task);
	m->state = TASK_ENDED;
	__sync_fetch_and_add(&alive, -1);
	set_bit((__u32)task->pid, false);
	return turn(0);
}

/* Attached to nothing: user space runs it on a CPU to have what counts there in the sums, and after
 * on has changed. */
SEC("raw_tp/none")
int on_look(void *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u32 number = bpf_get_smp_processor_id();
	struct tasks_cpu *cpu = bpf_map_lookup_elem(&cpus, &number);

	if (cpu && on && !anew && !cpu->runs && has_bit((__u32)task->pid))
		catch_up(cpu, task);
	return turn(on ? slot_of(task) : 0);
}
