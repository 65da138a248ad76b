// SPDX-License-Identifier: MIT
/* Traces system calls with the user memory that their arguments point to. Loaded
 * by os/bpf/trace.c. */
#include "follow.h"
#include "trace_inner.h"
#include "trace_sums.h"

const volatile bool by_task; /* followed tasks only, else all */
const volatile bool by_cpu, by_cgroup; /* looked at for each call */
const volatile bool sums;     /* keeps sums, and sends no records */
const volatile bool failures; /* only calls that failed */
const volatile bool early;    /* calls that had begun before, too */
const volatile __u32 own_tgid, string_size;
const volatile __u64 cgroup;   /* the kernel's id of a group; those in it are wanted, too */
const volatile __u64 least_ns; /* only calls that took as long */
const volatile __u32 wake_bytes;

const volatile bool dumps, dump_others; /* dump_others: of descriptors above TRACE_FDS */
__u8 dump_fds[TRACE_FDS];
__u64 lost_parts;

bool on, woken; /* woken: the reader was, and has not caught up yet */
__u64 on_ns;	/* when it was turned on */
__u64 lost;
__u8 cpu_wanted[4096];
struct trace_plan plans[TRACE_ABIS * TRACE_NUMBERS];
/* Numbers that some caller's wanted call may have. The others are not looked at further. */
__u8 numbers_wanted[TRACE_NUMBERS];

/* One call of a task: its record while it is made. */
struct room {
	__u16 state;
	__u8 wanted;   /* the task is: it stays so */
	__u8 unread;   /* some bytes of the copy that is made could not be read */
	__u32 missing; /* bits of copies that could not be made when the call began */
	struct trace_record r;
	__u8 bytes[TRACE_ROOM];
};
enum {
	ROOM_FREE,
	ROOM_PENDING,
	ROOM_SENT,   /* its beginning was */
	ROOM_PASSED, /* the call is not wanted where it began */
	ROOM_EARLY,
	ROOM_REFUSED,
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct room);
} rooms SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096); /* set when it is loaded */
} ring SEC(".maps");

static __always_inline __u32 abi_of(struct task_struct *task, long *number)
{
#if defined(__TARGET_ARCH_x86)
	if (task->thread_info.status & 2) /* TS_COMPAT */
		return TRACE_I386;
	if (*number >= 0 && *number & 0x40000000) {
		*number &= ~0x40000000;
		return TRACE_X32;
	}
	return TRACE_X86_64;
#else
	return TRACE_GENERIC;
#endif
}

#define DEPTH_MOST 32 /* of groups in groups */

static __noinline bool in_cgroup(void)
{
	struct cgroup *its = cgroup_of(bpf_get_current_task_btf());
	int level = BPF_CORE_READ(its, level);

	for (int i = 0; i < DEPTH_MOST && i <= level; i++)
		if (BPF_CORE_READ(its, ancestors[i], kn, id) == cgroup)
			return true;
	return false;
}

static __always_inline bool task_wanted(struct task_struct *task)
{
	if (by_task && !followed_get(task))
		return false;
	if (!by_task && (__u32)task->tgid == own_tgid)
		return false;
	if (by_cpu && !cpu_wanted[bpf_get_smp_processor_id() & 4095])
		return false;
	return !by_cgroup || in_cgroup();
}

/* What was found once does not stay so. */
static __always_inline bool wanted_changes(void)
{
	return by_cpu || by_cgroup;
}

static __always_inline void copy_comm(char *to, struct task_struct *task)
{
	for (int i = 0; i < 16; i += 8)
		*(__u64 *)(to + i) = *(__u64 *)(task->comm + i);
}

/* Wakes the reader once much has gathered. */
static __always_inline __u64 wake_flags(void)
{
	__u64 flags = BPF_RB_NO_WAKEUP;

	if (bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) < wake_bytes) {
		if (woken)
			woken = false;
	} else if (!woken) {
		woken = true;
		flags = BPF_RB_FORCE_WAKEUP;
	}
	return flags;
}

static __always_inline void send(struct room *room)
{
	__u32 n = room->r.bytes;
	/* Looked at now and then only: the reader comes by itself, too. */
	__u64 flags = room->r.exit_ns & 15 ? BPF_RB_NO_WAKEUP : wake_flags();

	if (n > TRACE_ROOM)
		n = TRACE_ROOM;
	if (bpf_ringbuf_output(&ring, &room->r, sizeof(room->r) + n, flags))
		__sync_fetch_and_add(&lost, 1);
}

#include "trace_copies.h"
#include "trace_dumps.h"

/* The plan of a number; -1 is none, and those beyond the table have that of its last row, which is
 * no call's. */
static __always_inline struct trace_plan *plan_of(__u32 abi, long number)
{
	__u64 at = (__u64)abi * TRACE_NUMBERS;

	if (number == -1)
		return NULL;
	at += (unsigned long)number < TRACE_NUMBERS ? (unsigned long)number : TRACE_NUMBERS - 1;
	if (at >= TRACE_ABIS * TRACE_NUMBERS)
		return NULL;
	/* no compiler may compute the address before the check, which the kernel would not see */
	__asm__ volatile("" : "+r"(at));
	return &plans[at];
}

/* False for a call that is not wanted, whoever makes it: decided without the task, which takes a
 * helper to get. True for what is no number, too. */
static __always_inline bool number_wanted(long number)
{
	__u64 at = number;

#if defined(__TARGET_ARCH_x86)
	if (number >= 0)
		at &= ~0x40000000ull;
#endif
	return at >= TRACE_NUMBERS || numbers_wanted[at];
}

static __always_inline void read_args(uint64_t *to, struct pt_regs *regs, __u32 abi)
{
#if defined(__TARGET_ARCH_x86)
	if (abi == TRACE_I386) {
		to[0] = (__u32)regs->bx;
		to[1] = (__u32)regs->cx;
		to[2] = (__u32)regs->dx;
		to[3] = (__u32)regs->si;
		to[4] = (__u32)regs->di;
		to[5] = (__u32)regs->bp;
		return;
	}
	to[0] = regs->di;
	to[1] = regs->si;
	to[2] = regs->dx;
	to[3] = regs->r10;
	to[4] = regs->r8;
	to[5] = regs->r9;
#elif defined(__TARGET_ARCH_arm64)
	to[0] = regs->orig_x0;
	for (int i = 1; i < 6; i++)
		to[i] = regs->regs[i];
#endif
}

/* The plan of a call. One that stands for another becomes that, if it is wanted: its number is then
 * *number, too, and inner->number, which is 0 for all others. */
static __always_inline struct trace_plan *plan_of_call(struct pt_regs *regs, __u32 abi,
						       long *number, struct inner_call *inner)
{
	inner->number = 0;
#if defined(__TARGET_ARCH_x86)
	if (abi == TRACE_I386 && (*number == I386_SOCKETCALL || *number == I386_IPC)) {
		struct trace_plan *plan;

		*inner = (struct inner_call){
			*number, {regs->bx, regs->cx, regs->dx, regs->si, regs->di, regs->bp}};
		inner_find(inner);
		plan = inner->number ? plan_of(abi, inner->number) : NULL;
		if (plan && plan->wanted) {
			*number = inner->number;
			return plan;
		}
		inner->number = 0;
	}
#endif
	return plan_of(abi, *number);
}

static __always_inline void inner_args(uint64_t *to, const struct inner_call *inner)
{
	if (inner->number)
		for (int i = 0; i < 6; i++)
			to[i] = inner->args[i];
}

/* The number of the call that the task returns from; -1: none. */
static __always_inline long returning_number(struct pt_regs *regs)
{
#if defined(__TARGET_ARCH_x86)
	/* a program that the kernel itself has started begins with the end of a call, all zeros */
	return regs->orig_ax || regs->di || regs->si || regs->dx ? (__s32)regs->orig_ax : -1;
#elif defined(__TARGET_ARCH_arm64)
	return regs->syscallno;
#endif
}

static __always_inline bool waits_for_exec(struct task_struct *task)
{
	struct followed *f = by_task ? bpf_task_storage_get(&followed_tasks, task, NULL, 0) : NULL;

	return f && f->state == FOLLOWED_WAITS;
}

static __always_inline int enter_for_sums(struct task_struct *task, struct trace_plan *plan,
					  __u32 abi, long number)
{
	struct began *b = bpf_task_storage_get(&begun, task, NULL, 0);

	if (!b || !b->wanted || wanted_changes()) {
		bool wanted = task_wanted(task);

		if (!wanted && !(plan->execs && waits_for_exec(task)))
			return 0;
		if (!b)
			b = bpf_task_storage_get(&begun, task, NULL,
						 BPF_LOCAL_STORAGE_GET_F_CREATE);
		if (!b) {
			__sync_fetch_and_add(&lost, 1);
			return 0;
		}
		b->wanted = wanted;
	}
	return sums_begin(b, abi, number);
}

/* The task's room; NULL: its calls are not wanted, or (counted) there is none. */
static __always_inline struct room *room_of(struct task_struct *task, struct trace_plan *plan)
{
	struct room *room = bpf_task_storage_get(&rooms, task, NULL, 0);
	bool wanted, takes;

	if (room && room->wanted && !wanted_changes())
		return room;
	wanted = task_wanted(task);
	/* A task that is wanted at times gets one at its first call: without one, it is still in a
	 * call that began before the trace. */
	takes = wanted || (plan->execs && waits_for_exec(task));
	if (!room && !takes && !wanted_changes())
		return NULL;
	if (!room)
		room = bpf_task_storage_get(&rooms, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!room) {
		__sync_fetch_and_add(&lost, takes);
		return NULL;
	}
	room->wanted = wanted;
	room->state = takes ? ROOM_FREE : ROOM_PASSED;
	return takes ? room : NULL;
}

/* True at the end of a call whose beginning was not traced, if the call is wanted: not that of a
 * child that begins to run, nor an exec, before which nothing is traced. */
static __always_inline bool is_unseen(struct task_struct *task, struct trace_plan *plan,
				      long result)
{
	return plan && plan->wanted && !plan->execs && !(plan->forks && !result) &&
	       task_wanted(task);
}

/* True when the call cannot have begun before the trace: then the kernel has refused it before its
 * beginning would have been traced, for a seccomp filter or a debugger. */
static __always_inline bool is_refused(struct task_struct *task, bool has_memory)
{
	return has_memory || !early || task->start_time > on_ns;
}

/* The room of a task that returns from a call whose beginning was not traced. NULL: the call is not
 * wanted. */
static __noinline struct room *room_of_unseen(struct task_struct *task, struct pt_regs *regs,
					      long result)
{
	long number = returning_number(regs);
	__u32 abi = abi_of(task, &number);
	struct inner_call inner;
	struct trace_plan *plan = plan_of_call(regs, abi, &number, &inner);
	struct room *room;
	bool refused;

	if (!is_unseen(task, plan, result))
		return NULL;
	room = bpf_task_storage_get(&rooms, task, NULL, 0);
	refused = is_refused(task, room);
	if (!room)
		room = bpf_task_storage_get(&rooms, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!room) {
		__sync_fetch_and_add(&lost, 1);
		return NULL;
	}
	room->wanted = true;
	room->state = refused ? ROOM_REFUSED : ROOM_EARLY;
	room->r.bytes = 0;
	room->missing = ~0u; /* what is copied at the beginning is copied at the end */
	room->r.abi = abi;
	room->r.number = number;
	room->r.pid = task->tgid;
	room->r.enter_ns = refused ? bpf_ktime_get_ns() : on_ns;
	read_args(room->r.args, regs, abi);
	inner_args(room->r.args, &inner);
	return room;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(on_enter, struct pt_regs *regs, long number)
{
	struct inner_call inner;
	struct task_struct *task;
	struct trace_plan *plan;
	struct room *room;
	__u32 abi;

	if (!on || !number_wanted(number))
		return 0;
	task = bpf_get_current_task_btf();
	abi = abi_of(task, &number);
	plan = plan_of_call(regs, abi, &number, &inner);
	if (!plan || !plan->wanted)
		return 0;
	if (sums)
		return enter_for_sums(task, plan, abi, number);
	room = room_of(task, plan);
	if (!room)
		return 0;
	room->r.bytes = 0;
	room->missing = 0;
	room->r.abi = abi;
	room->r.number = number;
	room->r.pid = task->tgid;
	room->r.tid = task->pid;
	room->r.exit_ns = 0;
	read_args(room->r.args, regs, abi);
	inner_args(room->r.args, &inner);
	room->r.enter_ns = bpf_ktime_get_ns();
	if (plan->enters)
		copy_all(room, plan, false, false);
	room->state = ROOM_PENDING;
	if (plan->endless) {
		room->r.what = TRACE_ENTER;
		room->r.cpu = bpf_get_smp_processor_id();
		copy_comm(room->r.comm, task);
		send(room);
		room->state = ROOM_FREE;
	}
	return 0;
}

static __always_inline bool is_error(long result)
{
	return result < 0 && result >= -4095;
}

/* A refused call without a result of its own is given back as it came, and its task a signal. */
static __always_inline __u8 refused_what(struct pt_regs *regs, long result)
{
#if defined(__TARGET_ARCH_x86)
	return result == returning_number(regs) ? TRACE_TRAPPED : TRACE_REFUSED;
#elif defined(__TARGET_ARCH_arm64)
	return result == (long)regs->orig_x0 ? TRACE_TRAPPED : TRACE_REFUSED;
#endif
}

/* Adds a call that was refused with a result, which took no time. */
static __noinline int sums_refused(struct task_struct *task, struct pt_regs *regs, long result)
{
	struct began *b = bpf_task_storage_get(&begun, task, NULL, 0);
	long number = returning_number(regs);
	__u32 abi = abi_of(task, &number);
	struct inner_call inner;
	struct trace_plan *plan = plan_of_call(regs, abi, &number, &inner);

	if (wanted_changes() || !is_unseen(task, plan, result) || !is_refused(task, b))
		return 0;
	if (least_ns || (failures && !is_error(result)) ||
	    refused_what(regs, result) == TRACE_TRAPPED)
		return 0;
	if (!b)
		b = bpf_task_storage_get(&begun, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!b) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	b->number = number;
	b->abi = abi;
	return sums_end(b, task, 0, is_error(result) ? (__u32)-result : 0);
}

static __always_inline int exit_for_sums(struct task_struct *task, struct pt_regs *regs,
					 long result)
{
	struct began *b = bpf_task_storage_get(&begun, task, NULL, 0);
	__u64 ns;

	if (!b || !b->ns)
		return sums_refused(task, regs, result);
	ns = bpf_ktime_get_ns() - b->ns;
	b->ns = 0;
	/* an exec that failed was not the command's yet */
	if (!b->wanted && by_task && !followed_get(task))
		return 0;
	if (ns < least_ns || (failures && !is_error(result)))
		return 0;
	return sums_end(b, task, ns, is_error(result) ? (__u32)-result : 0);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(on_exit, struct pt_regs *regs, long result)
{
	struct task_struct *task;
	struct trace_plan *plan;
	struct room *room;
	__u64 now;

	if (!on || !number_wanted(returning_number(regs)))
		return 0;
	task = bpf_get_current_task_btf();
	if (sums)
		return exit_for_sums(task, regs, result);
	room = bpf_task_storage_get(&rooms, task, NULL, 0);
	if (room && room->state == ROOM_PASSED) {
		room->state = ROOM_FREE;
		return 0;
	}
	if (!room || room->state == ROOM_FREE)
		room = room_of_unseen(task, regs, result);
	if (!room)
		return 0;
	plan = plan_of(room->r.abi, room->r.number);
	/* the command's exec is its first call that is shown; one that failed is not */
	if (by_task && plan && plan->execs && !followed_get(task)) {
		room->state = ROOM_FREE;
		return 0;
	}
	now = bpf_ktime_get_ns();
	room->r.exit_ns = now;
	room->r.result = result;
	room->r.tid = task->pid;
	if (room->state == ROOM_SENT)
		room->r.bytes = 0;
	room->r.what = room->state == ROOM_SENT	     ? TRACE_EXIT
		       : room->state == ROOM_EARLY   ? TRACE_EARLY_CALL
		       : room->state == ROOM_REFUSED ? refused_what(regs, result)
						     : TRACE_CALL;
	room->state = ROOM_FREE;
	if (now - room->r.enter_ns < least_ns || (failures && !is_error(result)))
		return 0;
	room->r.cpu = bpf_get_smp_processor_id();
	copy_comm(room->r.comm, task);
	if (plan && (plan->exits || room->missing) && !(plan->execs && !is_error(result)))
		copy_all(room, plan, true, is_error(result));
	if (dumps && plan && plan->dump && result > 0 && is_dumped(room->r.args[0]))
		dump_send(room, plan->dump, plan->dump_arg);
	send(room);
	return 0;
}

/* A call that gives up its CPU is told at once, for it may take long. */
SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempted, struct task_struct *previous)
{
	struct room *room;

	if (!on || preempted)
		return 0;
	room = bpf_task_storage_get(&rooms, previous, NULL, 0);
	if (!room || room->state != ROOM_PENDING)
		return 0;
	if (by_task && !followed_get(previous))
		return 0;
	room->state = ROOM_SENT;
	room->r.what = TRACE_ENTER;
	room->r.cpu = bpf_get_smp_processor_id();
	copy_comm(room->r.comm, previous);
	send(room);
	return 0;
}

SEC("tp_btf/task_newtask")
int BPF_PROG(on_fork, struct task_struct *child, __u64 flags)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct trace_record r = {};

	if (!on || !task_wanted(task))
		return 0;
	r.what = TRACE_FORK;
	r.pid = child->tgid;
	r.tid = child->pid;
	r.ppid = task->tgid;
	r.args[0] = flags;
	r.enter_ns = r.exit_ns = bpf_ktime_get_ns();
	bpf_get_current_comm(r.comm, sizeof(r.comm));
	if (bpf_ringbuf_output(&ring, &r, sizeof(r), BPF_RB_NO_WAKEUP))
		__sync_fetch_and_add(&lost, 1);
	return 0;
}
