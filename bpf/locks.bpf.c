// SPDX-License-Identifier: MIT
/*
 * Sums up waits for the kernel's locks, from the tracepoints lock:contention_begin and _end. Loaded
 * by os/bpf/locks.c.
 *
 * A task that sleeps for a lock has its wait in its own storage: it waits for one at a time. A spin
 * lock is waited for on one CPU, and there an interrupt may wait for another one: its waits are a
 * stack for each CPU.
 */
#include "follow.h"
#include "os/bpf/state/locks_state.h"

#define SPIN	    1 /* include/trace/events/lock.h */
#define WRITE	    4
#define MUTEX	    32
#define FLAGS_ALL   63
#define NESTED	    4	/* task, soft interrupt, interrupt, NMI */
#define OWNER_FLAGS 7ul /* low bits of the word that holds the owner of a mutex or rwsem */
#define READERS	    1ul /* of a rwsem: the word is a reader, which may be gone */
#define TRIES	    4
#define HASH_FACTOR 0x9e3779b97f4a7c15ull

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct mutex {
	struct {
		long counter;
	} owner;
};
struct rw_semaphore {
	struct {
		long counter;
	} owner;
};
struct mm_struct {
	struct rw_semaphore mmap_lock;
};
struct spinlock {
	int unused;
};
struct sighand_struct {
	struct spinlock siglock;
};
struct task_struct___locks {
	struct mm_struct *mm;
	struct sighand_struct *sighand;
};

#pragma clang attribute pop

const volatile bool by_task;   /* followed tasks only, else all */
const volatile bool by_cpu;    /* CPUs of cpu_wanted only */
const volatile bool by_lock;   /* locks of wanted_locks only */
const volatile bool by_cgroup; /* groups of wanted_cgroups only */
const volatile bool key_stack, key_tid, key_lock, key_cgroup;
const volatile bool is_deep;	  /* chains of more than LOCKS_FRAMES_USUAL frames are wanted */
const volatile bool of_owner;	  /* key_tid: the tid of the lock's holder */
const volatile bool owner_stack;  /* key_stack: that of the lock's holder */
const volatile bool delays_locks; /* by delays_ns */
const volatile __u64 delay_mmap_ns, delay_signals_ns; /* of all tasks' own locks */
const volatile __u64 wanted_types; /* a bit for each value of the flags; 0: all */

bool on;
__u8 cpu_wanted[LOCKS_CPUS];
__u64 lost[LOCKS_LOST_KINDS];

struct wait {
	__u64 lock, since; /* ns; lock 0: none */
	struct locks_key key;
	__u32 flags, kind;
};
struct waits {
	struct wait at[NESTED];
	__u32 is_delayed; /* on_end runs, so ends of waits in interrupts are not seen */
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct wait);
} task_waits SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct waits);
} cpu_waits SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 1); /* these are set when it is loaded */
	__uint(key_size, sizeof(__u32));
	__uint(value_size, LOCKS_FRAMES_USUAL * sizeof(__u64));
} stacks SEC(".maps");

/* The kernel walks as many frames as there is room for. */
struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, LOCKS_FRAMES * sizeof(__u64));
} deep_stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct locks_key);
	__type(value, struct locks_sum);
} sums SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct locks_frames);
} owner_stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct locks_frames);
} owner_frames SEC(".maps");

/* How long a lock's new holder is held up, by the lock's address. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, LOCKS_WANTED);
	__type(key, __u64);
	__type(value, __u64);
} delays_ns SEC(".maps");

struct name {
	char text[16];
};
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, struct name);
} names SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, LOCKS_WANTED);
	__type(key, __u64);
	__type(value, __u8);
} wanted_locks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, LOCKS_WANTED);
	__type(key, __u64);
	__type(value, __u8);
} wanted_cgroups SEC(".maps");

/* A task that can be looked into (Linux 6.2). */
extern struct task_struct *bpf_task_from_pid(__s32 pid) __ksym __weak;
extern void bpf_task_release(struct task_struct *task) __ksym __weak;

static __always_inline void lose(int kind)
{
	__sync_fetch_and_add(&lost[kind], 1);
}

/* The group in the hierarchy that perf events see. */
static __always_inline __u64 cgroup_of(struct task_struct *task)
{
	int index = bpf_core_enum_value(enum cgroup_subsys_id, perf_event_cgrp_id);

	return BPF_CORE_READ(task, cgroups, subsys[index], cgroup, kn, id);
}

static __always_inline bool is_wanted(struct task_struct *task, __u64 lock, __u32 flags)
{
	__u32 cpu = bpf_get_smp_processor_id();
	__u64 cgroup;

	if (wanted_types && !(wanted_types & 1ull << (flags & FLAGS_ALL)))
		return false;
	if (by_cpu && (cpu >= LOCKS_CPUS || !cpu_wanted[cpu]))
		return false;
	if (by_task && !followed_get(task))
		return false;
	if (by_lock && !bpf_map_lookup_elem(&wanted_locks, &lock))
		return false;
	if (!by_cgroup)
		return true;
	cgroup = cgroup_of(task);
	return bpf_map_lookup_elem(&wanted_cgroups, &cgroup);
}

/* Where the wait is noted: NULL when it has begun, or there is no room. */
static __always_inline struct wait *new_wait(struct task_struct *task, __u64 lock, __u32 flags)
{
	struct waits *here;
	struct wait *w;
	__u32 zero = 0;

	if (!(flags & SPIN) || flags & MUTEX) {
		w = bpf_task_storage_get(&task_waits, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
		if (!w)
			lose(LOCKS_LOST_TIME);
		return w && !w->lock ? w : NULL; /* a mutex that is spun for begins twice */
	}
	here = bpf_map_lookup_elem(&cpu_waits, &zero);
	for (int i = 0; here && !here->is_delayed && i < NESTED; i++)
		if (!here->at[i].lock)
			return &here->at[i];
	lose(LOCKS_LOST_TIME);
	return NULL;
}

/* The task that holds a mutex, or a rwsem that is written; NULL: not known. */
static __always_inline struct task_struct *owner_of(__u64 lock, __u32 flags)
{
	unsigned long word;

	if (flags & MUTEX)
		word = BPF_CORE_READ((struct mutex *)lock, owner.counter);
	else if (flags == 2 || flags == WRITE) /* a rwsem */
		word = BPF_CORE_READ((struct rw_semaphore *)lock, owner.counter);
	else
		return NULL;
	if (!(flags & MUTEX) && word & READERS)
		return NULL;
	return (struct task_struct *)(word & ~OWNER_FLAGS);
}

static __always_inline int note_task(struct task_struct *task, bool is_known)
{
	struct name name = {};
	int tid;

	if (!is_known)
		return -1;
	tid = BPF_CORE_READ(task, pid);
	bpf_probe_read_kernel_str(name.text, sizeof(name.text), &task->comm);
	if (bpf_map_update_elem(&names, &tid, &name, BPF_ANY))
		lose(LOCKS_LOST_TASK);
	return tid;
}

/* Keeps the call chain of the lock's holder. Holders that run have none. */
static __always_inline __u32 note_owner_stack(__u64 lock, __u32 flags)
{
	struct task_struct *owner = owner_of(lock, flags), *task;
	struct locks_frames *frames;
	__u32 zero = 0, id;
	__u64 hash = 0;
	long bytes;

	frames = bpf_map_lookup_elem(&owner_frames, &zero);
	if (!owner || !frames)
		return LOCKS_NO_STACK;
	task = bpf_task_from_pid(BPF_CORE_READ(owner, pid));
	if (!task)
		return LOCKS_NO_STACK;
	bytes = bpf_get_task_stack(task, frames->at, sizeof(frames->at), 0);
	bpf_task_release(task);
	if (bytes <= 0)
		return LOCKS_NO_STACK;
	for (int i = 0; i < LOCKS_FRAMES_USUAL; i++) {
		if (i >= bytes / (long)sizeof(__u64))
			frames->at[i] = 0;
		hash = (hash ^ frames->at[i]) * HASH_FACTOR;
	}
	id = hash >> 33;
	if (bpf_map_update_elem(&owner_stacks, &id, frames, BPF_ANY)) {
		lose(LOCKS_LOST_STACK);
		return LOCKS_NO_STACK;
	}
	return id;
}

static __always_inline __u32 kind_of(struct task_struct *task, __u64 lock)
{
	struct task_struct___locks *t = (void *)task;
	struct mm_struct *mm = BPF_CORE_READ(t, mm);
	struct sighand_struct *sighand = BPF_CORE_READ(t, sighand);

	if (mm && lock == (__u64)&mm->mmap_lock)
		return LOCKS_OF_MMAP;
	return sighand && lock == (__u64)&sighand->siglock ? LOCKS_OF_SIGNALS : LOCKS_OF_NOTHING;
}

SEC("tp_btf/contention_begin")
int BPF_PROG(on_begin, void *address, unsigned int flags)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_struct *owner;
	__u64 lock = (__u64)address;
	struct wait *w;
	long stack;

	if (!on || !is_wanted(task, lock, flags))
		return 0;
	w = new_wait(task, lock, flags);
	if (!w)
		return 0;
	w->key = (struct locks_key){.stack = LOCKS_NO_STACK};
	if (key_stack && owner_stack) {
		w->key.stack = note_owner_stack(lock, flags);
	} else if (key_stack) {
		stack = is_deep ? bpf_get_stackid(ctx, &deep_stacks, BPF_F_FAST_STACK_CMP)
				: bpf_get_stackid(ctx, &stacks, BPF_F_FAST_STACK_CMP);
		if (stack < 0) {
			lose(LOCKS_LOST_STACK);
			return 0;
		}
		w->key.stack = stack;
	}
	if (key_tid && of_owner) {
		owner = owner_of(lock, flags);
		w->key.tid = note_task(owner, owner);
	} else if (key_tid) {
		w->key.tid = note_task(task, true);
	}
	if (key_lock) {
		w->key.lock = lock;
		w->kind = kind_of(task, lock);
	}
	if (key_cgroup)
		w->key.cgroup = cgroup_of(task);
	w->flags = flags;
	w->since = bpf_ktime_get_ns();
	w->lock = lock;
	return 0;
}

static __always_inline struct wait *find_wait(struct task_struct *task, __u64 lock)
{
	struct waits *here;
	struct wait *w;
	__u32 zero = 0;

	here = bpf_map_lookup_elem(&cpu_waits, &zero);
	for (int i = 0; here && i < NESTED; i++)
		if (here->at[i].lock == lock)
			return &here->at[i];
	w = bpf_task_storage_get(&task_waits, task, NULL, 0);
	return w && w->lock == lock ? w : NULL;
}

/* Other CPUs do the same. */
static __always_inline void raise_to(uint64_t *at, uint64_t value)
{
	uint64_t old = *at;

	for (int i = 0; i < TRIES && value > old; i++) {
		uint64_t seen = __sync_val_compare_and_swap(at, old, value);

		if (seen == old)
			return;
		old = seen;
	}
}

static __always_inline void lower_to(uint64_t *at, uint64_t value)
{
	uint64_t old = *at;

	for (int i = 0; i < TRIES && value < old; i++) {
		uint64_t seen = __sync_val_compare_and_swap(at, old, value);

		if (seen == old)
			return;
		old = seen;
	}
}

static __always_inline void add_wait(const struct wait *w, __u64 ns)
{
	struct locks_key key = w->key;
	struct locks_sum *s = bpf_map_lookup_elem(&sums, &key);
	struct locks_sum first = {1, ns, ns, ns, w->flags, w->kind};

	if (!s) {
		if (!bpf_map_update_elem(&sums, &key, &first, BPF_NOEXIST))
			return;
		s = bpf_map_lookup_elem(&sums, &key); /* another CPU was first */
		if (!s) {
			lose(LOCKS_LOST_DATA);
			return;
		}
	}
	__sync_fetch_and_add(&s->count, 1);
	__sync_fetch_and_add(&s->total_ns, ns);
	raise_to(&s->max_ns, ns);
	lower_to(&s->min_ns, ns);
}

static long is_over(__u32 i, __u64 *until)
{
	return bpf_ktime_get_ns() >= *until;
}

/* Holds the lock's new holder up. */
static __always_inline void delay(struct task_struct *task, __u64 lock)
{
	const __u64 *ns = bpf_map_lookup_elem(&delays_ns, &lock);
	const __u32 kind = kind_of(task, lock);
	struct waits *here;
	__u32 zero = 0;
	__u64 until = ns			 ? *ns
		      : kind == LOCKS_OF_MMAP	 ? delay_mmap_ns
		      : kind == LOCKS_OF_SIGNALS ? delay_signals_ns
						 : 0;

	here = bpf_map_lookup_elem(&cpu_waits, &zero);
	if (!until || !here)
		return;
	here->is_delayed = 1;
	until += bpf_ktime_get_ns();
	bpf_loop(1 << 23, is_over, &until, 0);
	here->is_delayed = 0;
}

SEC("tp_btf/contention_end")
int BPF_PROG(on_end, void *address)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct wait *w = find_wait(task, (__u64)address);
	__u64 now;

	if (!w)
		return 0;
	now = bpf_ktime_get_ns();
	if (on && now >= w->since)
		add_wait(w, now - w->since);
	w->lock = 0;
	if (on && delays_locks)
		delay(task, (__u64)address);
	return 0;
}
