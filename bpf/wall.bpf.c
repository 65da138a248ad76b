// SPDX-License-Identifier: MIT
/*
 * Sums up all of the time of tasks by state, stacks and waker, so that a switch between tasks needs
 * no record. Loaded by os/bpf/wall.c.
 *
 *   on_clock   a clock sample: the time on CPUs since the last one, with the stack of now
 *   on_switch  the task that leaves keeps its place and stacks; that which comes ends its wait
 *   on_waking  parts the wait into blocked and ready
 *   on_exit    a task ends
 *   on_look    at the end, what has not ended yet
 *
 * Walking a stack takes 2 us, a lookup in a table 70 ns. So a task that leaves a CPU where it has
 * left it before (the same instruction, frame, system call and state) is taken to have the stacks
 * that it had there, 63 times; only then its stacks are walked again and its times added to a row.
 */
#include "throttled.h"
#include "os/bpf/state/wall_sums.h"

#define PLACE_USES    64
#define KERNEL_THREAD 0x200000 /* include/linux/sched.h: PF_KTHREAD */
#define STATE_STOPPED 0x0c     /* __TASK_STOPPED | __TASK_TRACED */
#define STACK_SIZE    0x10000  /* no stack of a task is larger */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct task_struct___wall {
	void *stack;
	unsigned int flags;
};
#if defined(__TARGET_ARCH_x86)
struct pt_regs___wall {
	unsigned long bp, orig_ax, ip, sp;
};
#elif defined(__TARGET_ARCH_arm64)
struct pt_regs___wall {
	__u64 regs[31], sp, pc;
	__s32 syscallno;
};
#endif

#pragma clang attribute pop

const volatile bool by_task; /* tasks that user space names and what they start, else all */

bool on;
__u64 lost_sums;   /* times for which the table had no room */
__u64 lost_ns;	   /* their length */
__u64 lost_stacks; /* stacks for which there was no room */

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct wall_task);
} tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, WALL_STACKS);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, WALL_FRAMES * sizeof(__u64));
} user_stacks SEC(".maps"), kernel_stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, WALL_ROWS);
	__type(key, struct wall_sum_key);
	__type(value, struct wall_sum);
} sums SEC(".maps");

/* Adds times to a row. */
static __noinline int add_sum(const struct wall_sum_key *key, const struct wall_sum *more)
{
	struct wall_sum *sum;

	if (!more->ns && !more->ready_ns)
		return 0;
	sum = bpf_map_lookup_elem(&sums, key);
	if (!sum) {
		if (!bpf_map_update_elem(&sums, key, more, BPF_NOEXIST))
			return 0;
		__sync_fetch_and_add(&lost_sums, more->times);
		__sync_fetch_and_add(&lost_ns, more->ns + more->ready_ns);
		return 0;
	}
	/* a task runs on one CPU at a time: nobody else adds to its rows */
	sum->ns += more->ns;
	sum->ready_ns += more->ready_ns;
	sum->times += more->times;
	sum->last = more->last;
	return 0;
}

/* The time on CPUs since the last clock sample. */
static __noinline int end_run(struct wall_task *t, __u64 now)
{
	const struct wall_sum_key key = {.pid = t->pid,
					 .tid = t->tid,
					 .user_stack = t->ran_user,
					 .kernel_stack = t->ran_kernel,
					 .state = WALL_SUM_ON_CPU};
	const struct wall_sum sum = {.ns = t->cpu_ns, .times = 1, .last = now};

	t->cpu_ns = 0;
	return add_sum(&key, &sum);
}

/* Adds the times of a place to its row. */
static __noinline int flush_place(const struct wall_task *t, struct wall_place *place)
{
	const struct wall_sum_key key = {.pid = t->pid,
					 .tid = t->tid,
					 .user_stack = place->user_stack,
					 .kernel_stack = place->kernel_stack,
					 .state = place->state,
					 .waker = place->waker,
					 .waker_pid = place->waker_pid,
					 .woken = place->woken};

	add_sum(&key, &place->sum);
	place->sum.ns = place->sum.ready_ns = place->sum.times = 0;
	return 0;
}

static __noinline int flush_task(struct wall_task *t, __u64 now)
{
	for (__u32 i = 0; i < WALL_PLACES; i++)
		flush_place(t, &t->places[i]);
	return end_run(t, now);
}

/* Of a wait whose place is not known: since it was made, or since it is followed. */
static __noinline int end_placeless(const struct wall_task *t, __u64 ns, __u64 ready_ns, __u64 now)
{
	const struct wall_sum_key key = {.pid = t->pid,
					 .tid = t->tid,
					 .user_stack = WALL_NO_STACK,
					 .kernel_stack = WALL_NO_STACK,
					 .state = t->state,
					 .waker = t->waker,
					 .waker_pid = t->waker_pid,
					 .woken = t->woken};
	const struct wall_sum sum = {.ns = ns, .ready_ns = ready_ns, .times = 1, .last = now};

	return add_sum(&key, &sum);
}

/* The time since the task left a CPU. */
static __always_inline void end_wait(struct wall_task *t, __u64 now)
{
	const __u64 since = now > t->since ? now - t->since : 0;
	const __u64 ns = t->woken ? t->blocked_ns : since, ready_ns = t->woken ? since : 0;
	struct wall_place *place;

	if (t->place < WALL_PLACES) {
		place = &t->places[t->place & (WALL_PLACES - 1)];
		if (place->waker != t->waker || place->woken != t->woken) {
			flush_place(t, place);
			place->waker = t->waker;
			place->waker_pid = t->waker_pid;
			place->woken = t->woken;
		}
		place->sum.ns += ns;
		place->sum.ready_ns += ready_ns;
		place->sum.times++;
		place->sum.last = now;
	} else {
		end_placeless(t, ns, ready_ns, now);
	}
	t->woken = t->waker = t->waker_pid = 0;
}

static __always_inline void begin_task(struct wall_task *t, struct task_struct *task, __u32 state,
				       __u64 now)
{
	t->state = state;
	t->pid = (__u32)task->tgid;
	t->tid = (__u32)task->pid;
	t->since = now;
	t->place = WALL_PLACES;
	t->ran_user = t->ran_kernel = WALL_NO_STACK;
}

/* NULL: it is not measured. */
static __always_inline struct wall_task *task_get(struct task_struct *task, __u64 now)
{
	struct wall_task *t;

	if (!on || !task->pid)
		return NULL;
	t = bpf_task_storage_get(&tasks, task, NULL, by_task ? 0 : BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!t || t->state == WALL_SUM_ENDED || t->state == WALL_SUM_EXECS)
		return NULL;
	if (t->state == WALL_SUM_NONE)
		begin_task(t, task, WALL_SUM_UNSEEN, now);
	else if (!t->tid) /* user space has named it */
		begin_task(t, task, WALL_SUM_UNSEEN, t->since);
	return t;
}

static __always_inline __s32 stack_get(void *ctx, void *map, __u64 flags)
{
	const long id = bpf_get_stackid(ctx, map, flags | BPF_F_FAST_STACK_CMP);

	if (id == -17 /* EEXIST: another stack has its slot */)
		__sync_fetch_and_add(&lost_stacks, 1);
	return id < 0 ? WALL_NO_STACK : (__s32)id;
}

static __always_inline __u64 mixed(__u64 hash, __u64 value)
{
	return (hash ^ value) * 0x9e3779b97f4a7c15ull;
}

/* The number of the system call that the task is in; negative: none. */
static __always_inline long call_of(struct pt_regs___wall *regs)
{
#if defined(__TARGET_ARCH_x86)
	return (long)regs->orig_ax;
#elif defined(__TARGET_ARCH_arm64)
	return regs->syscallno;
#endif
}

/* Where in its program a task that leaves the CPU is; 0: a kernel thread. */
static __always_inline __u64 place_of(struct task_struct *task, __u32 state)
{
	struct task_struct___wall *t = (void *)task;
	struct pt_regs___wall *regs;
	__u64 hash;

	if (t->flags & KERNEL_THREAD)
		return 0;
	regs = (void *)bpf_task_pt_regs(task);
#if defined(__TARGET_ARCH_x86)
	hash = mixed(mixed(mixed(state, regs->ip), regs->sp), regs->bp);
#elif defined(__TARGET_ARCH_arm64)
	hash = mixed(mixed(mixed(state, regs->pc), regs->sp), regs->regs[29]);
#endif
	return mixed(hash, (__u64)call_of(regs)) | 1;
}

/* Notes where the task that runs is about to leave its CPU. */
static __always_inline void note_place(void *ctx, struct wall_task *t, struct task_struct *task)
{
	const __u64 hash = place_of(task, t->state);
	const __u32 number = (hash >> 60) & (WALL_PLACES - 1);
	struct wall_place *place = &t->places[number];

	t->place = number;
	if (hash && place->hash == hash && ++place->uses < PLACE_USES)
		return;
	flush_place(t, place);
	place->hash = hash;
	place->uses = 0;
	place->state = t->state;
	place->kernel_stack = stack_get(ctx, &kernel_stacks, 0);
	place->user_stack = hash ? stack_get(ctx, &user_stacks, BPF_F_USER_STACK) : WALL_NO_STACK;
}

static __always_inline void run_ends(struct wall_task *t, __u64 now)
{
	/* what was seen first of a task is that it leaves a CPU: it has run until now */
	if (t->state == WALL_SUM_ON_CPU || t->state == WALL_SUM_UNSEEN)
		t->cpu_ns += now > t->since ? now - t->since : 0;
	else
		end_wait(t, now); /* the switch to it was not seen */
	t->since = now;
}

static __always_inline void leave(void *ctx, struct task_struct *task, bool preempted, __u32 state,
				  __u64 now)
{
	struct wall_task *t = task_get(task, now);

	if (!t)
		return;
	run_ends(t, now);
	if (preempted || !state)
		t->state = task_is_throttled(task) ? WALL_SUM_THROTTLED : WALL_SUM_PREEMPTED;
	else
		t->state = state & STATE_STOPPED ? WALL_SUM_STOPPED : WALL_SUM_BLOCKED;
	note_place(ctx, t, task);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempted, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	const __u64 now = bpf_ktime_get_ns();
	struct wall_task *t;

	leave(ctx, prev, preempted, prev_state, now);
	t = task_get(next, now);
	if (t && t->state != WALL_SUM_ON_CPU) {
		end_wait(t, now);
		t->state = WALL_SUM_ON_CPU;
		t->since = now;
	}
	return 0;
}

/* An interrupt of user space finds the task in no system call. One of the kernel has a stack of its
 * own; the arguments of this program lie on the stack in use. */
static __always_inline bool in_interrupt(void *ctx, struct task_struct *task)
{
	struct task_struct___wall *t = (void *)task;
	__u64 at = 0;

	if (!(t->flags & KERNEL_THREAD) && call_of((void *)bpf_task_pt_regs(task)) < 0)
		return true;
	bpf_probe_read_kernel(&at, sizeof(at), &ctx);
	return at - (__u64)t->stack >= STACK_SIZE;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking, struct task_struct *task)
{
	const __u64 now = bpf_ktime_get_ns();
	struct wall_task *t = task_get(task, now);
	struct task_struct *waker;

	if (!t || t->woken)
		return 0;
	if (t->state == WALL_SUM_UNSEEN)
		t->state = WALL_SUM_BLOCKED;
	if (t->state != WALL_SUM_BLOCKED && t->state != WALL_SUM_STOPPED)
		return 0;
	t->blocked_ns = now > t->since ? now - t->since : 0;
	t->since = now;
	waker = bpf_get_current_task_btf();
	if (!waker->pid || in_interrupt(ctx, waker)) {
		t->waker = WALL_SUM_INTERRUPT;
	} else {
		t->waker = (__u32)waker->pid;
		t->waker_pid = (__u32)waker->tgid;
	}
	t->woken = 1;
	return 0;
}

SEC("tp_btf/task_newtask")
int BPF_PROG(on_new, struct task_struct *child)
{
	struct task_struct *parent = bpf_get_current_task_btf();
	const __u64 now = bpf_ktime_get_ns();
	struct wall_task *of_parent = task_get(parent, now), *t;

	if (!of_parent)
		return 0;
	t = bpf_task_storage_get(&tasks, child, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!t)
		return 0;
	begin_task(t, child, WALL_SUM_NEW, now);
	t->waker = (__u32)parent->pid;
	t->waker_pid = (__u32)parent->tgid;
	return 0;
}

/* An exec gives a task its name right after it has turned on the events that wait for it. A thread
 * that is not its process's first has also got that one's number by now. */
SEC("tp_btf/task_rename")
int BPF_PROG(on_rename, struct task_struct *task)
{
	const __u64 now = bpf_ktime_get_ns();
	struct wall_task *t = bpf_task_storage_get(&tasks, task, NULL, 0);

	if (!t || !on || t->state == WALL_SUM_ENDED || !BPF_CORE_READ_BITFIELD(task, in_execve))
		return 0;
	if (t->state != WALL_SUM_EXECS && t->tid) {
		run_ends(t, now);
		flush_task(t, now);
		for (__u32 i = 0; i < WALL_PLACES; i++)
			t->places[i].hash = 0;
	}
	begin_task(t, task, WALL_SUM_ON_CPU, now);
	return 0;
}

/* What a task does after this, on its way out, is no part of its life. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	const __u64 now = bpf_ktime_get_ns();
	struct wall_task *t = task_get(task, now);

	if (!t)
		return 0;
	run_ends(t, now);
	flush_task(t, now);
	t->state = WALL_SUM_ENDED;
	return 0;
}

SEC("perf_event")
int on_clock(void *ctx)
{
	const __u64 now = bpf_ktime_get_ns();
	struct task_struct___wall *task;
	struct wall_task *t = task_get(bpf_get_current_task_btf(), now);

	if (!t)
		return 0;
	run_ends(t, now);
	t->state = WALL_SUM_ON_CPU;
	task = (void *)bpf_get_current_task_btf();
	t->ran_kernel = stack_get(ctx, &kernel_stacks, 0);
	t->ran_user = task->flags & KERNEL_THREAD ? WALL_NO_STACK
						  : stack_get(ctx, &user_stacks, BPF_F_USER_STACK);
	end_run(t, now);
	return 0;
}

/* Called for each task, when the other programs are off. */
SEC("iter/task")
int on_look(struct bpf_iter__task *ctx)
{
	const __u64 now = bpf_ktime_get_ns();
	struct task_struct *task = ctx->task;
	struct wall_task *t;

	if (!task || on)
		return 0;
	t = bpf_task_storage_get(&tasks, task, NULL, 0);
	if (!t || t->state == WALL_SUM_NONE || t->state == WALL_SUM_ENDED ||
	    t->state == WALL_SUM_EXECS)
		return 0;
	if (!t->tid)
		begin_task(t, task, WALL_SUM_UNSEEN, t->since);
	if (t->state == WALL_SUM_UNSEEN)
		t->state = WALL_SUM_BLOCKED;
	if (!t->woken && (t->state == WALL_SUM_BLOCKED || t->state == WALL_SUM_STOPPED)) {
		/* it is blocked until now, by nobody's waking */
		t->blocked_ns = now > t->since ? now - t->since : 0;
		t->since = now;
		t->woken = 1;
	}
	if (t->state == WALL_SUM_ON_CPU)
		t->cpu_ns += now > t->since ? now - t->since : 0;
	else
		end_wait(t, now);
	flush_task(t, now);
	t->state = WALL_SUM_ENDED;
	return 0;
}
