// SPDX-License-Identifier: MIT
/* Traces system calls with the user memory that their arguments point to. Loaded
 * by os/bpf/trace.c. */
#include "follow.h"
#include "trace_inner.h"
#include "trace_sums.h"

#define STRING_MOST 1024
#define BYTES_MOST  1024
#define VECTOR_MOST 8  /* of a vector's elements */
#define WORDS_MOST  24 /* strings of an array */
#define CONTROL_MOST 256 /* bytes of control messages */
#define MESSAGES_MOST 4 /* of sendmmsg and recvmmsg */
/* Below lies no memory of programs (vm.mmap_min_addr): arguments of fcntl and ioctl that are
 * numbers are not read, which would fault. */
#define LOWEST 65536

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

/* Functions that are not static are checked once by the kernel when the program is loaded, not once
 * a call: that takes 20 ms, not 1.5 s. Their pointers must be checked against NULL. */

/* Begins a piece; NULL: the record is full. */
static __always_inline struct trace_piece *piece_at(struct room *room, __u32 most)
{
	__u32 at = room->r.bytes;

	if (at > TRACE_ROOM - sizeof(struct trace_piece) - most)
		return NULL;
	return (struct trace_piece *)(room->bytes + at);
}

static __always_inline void piece_end(struct room *room, struct trace_piece *p, __u64 address,
				      __u32 n)
{
	p->address = address;
	p->n = n;
	p->at_exit = room->r.exit_ns != 0;
	p->unused = 0;
	room->r.bytes += sizeof(*p) + ((n + 7) & ~7u);
}

__noinline int add_string(struct room *room, __u64 address, __u32 most)
{
	struct trace_piece *p;
	long got;

	if (!room || !address)
		return 0;
	if (most > STRING_MOST)
		most = STRING_MOST;
	p = piece_at(room, STRING_MOST);
	if (!p)
		return 0;
	got = bpf_probe_read_user_str(p + 1, most, (void *)address);
	if (got > 0)
		piece_end(room, p, address, got);
	else
		room->unread = true;
	return 0;
}

__noinline int add_bytes(struct room *room, __u64 address, __u64 n)
{
	struct trace_piece *p;
	__u32 size = n;

	if (!room || !address || !n)
		return 0;
	if (n > BYTES_MOST)
		size = BYTES_MOST;
	p = piece_at(room, BYTES_MOST);
	if (!p)
		return 0;
	if (!bpf_probe_read_user(p + 1, size, (void *)address))
		piece_end(room, p, address, size);
	else
		room->unread = true;
	return 0;
}

/* The width of a caller's longs and pointers. */
static __always_inline __u32 long_size(struct room *room)
{
	return room->r.abi == TRACE_I386 ? 4 : 8;
}

struct longs {
	__u64 at[8];
};

/* Reads n longs of the caller's width. Checked on its own: inlined into a loop it is more than
 * Linux 6.1 takes. */
__noinline int longs_read(struct room *room, struct longs *to, __u64 address, __u32 n)
{
	__u32 narrow[8] = {};

	if (!room || !to || n > 8)
		return -1;
	if (long_size(room) == 8)
		return bpf_probe_read_user(to, n * 8, (void *)address);
	if (bpf_probe_read_user(narrow, n * 4, (void *)address))
		return -1;
	for (__u32 i = 0; i < 8; i++)
		to->at[i] = narrow[i];
	return 0;
}

/* The vector, and what its elements point to; total: bytes in all. */
__noinline int add_vector(struct room *room, __u64 address, __u64 count, __u64 total)
{
	struct longs element = {};
	__u32 width;

	if (!room)
		return 0;
	width = 2 * long_size(room);
	if (count > VECTOR_MOST)
		count = VECTOR_MOST;
	add_bytes(room, address, count * width);
	for (__u32 i = 0; i < VECTOR_MOST; i++) {
		__u64 n;

		if (i >= count || longs_read(room, &element, address + i * width, 2))
			break;
		n = element.at[1] < total ? element.at[1] : total;
		total -= n;
		add_bytes(room, element.at[0], n > string_size ? string_size : n);
	}
	return 0;
}

__noinline int add_message(struct room *room, __u64 address, __u64 size, __u64 total)
{
	/* struct user_msghdr: name, its length, vector, its count, control, its length, flags */
	struct longs m = {};

	if (!room || longs_read(room, &m, address, 7))
		return 0;
	add_bytes(room, address, size);
	add_bytes(room, m.at[0], (__u32)m.at[1] > 128 ? 128 : (__u32)m.at[1]);
	add_vector(room, m.at[2], m.at[3], total);
	add_bytes(room, m.at[4], m.at[5] > CONTROL_MOST ? CONTROL_MOST : m.at[5]);
	return 0;
}

/* Of a struct mmsghdr: after the message, how many bytes of it were sent or received. */
#define MESSAGE_BYTES_AT(size) ((size) / 8 * 7)

__noinline int add_messages(struct room *room, __u64 address, __u64 count, __u32 size)
{
	__u32 bytes;

	if (!room)
		return 0;
	for (__u32 i = 0; i < MESSAGES_MOST; i++) {
		__u64 at = address + i * size;

		if (i >= count)
			break;
		if (!room->r.exit_ns)
			add_message(room, at, size, ~0ull);
		else if (!bpf_probe_read_user(&bytes, sizeof(bytes),
					      (void *)(at + MESSAGE_BYTES_AT(size))))
			add_message(room, at, size, bytes);
	}
	return 0;
}

/* What a command of the old kind, without size and direction, points to: those of terminals
 * (<asm-generic/ioctls.h>) and sockets (<linux/sockios.h>). 0: nothing that is known. */
static __always_inline __u32 old_ioctl_size(__u32 cmd)
{
	__u32 number = cmd & 255;

	if ((cmd & ~255u) == 0x5400) {
		if (number >= 0x01 && number <= 0x04) /* TCGETS, TCSETS... */
			return 36;
		if (number >= 0x05 && number <= 0x08) /* TCGETA, TCSETA... */
			return 18;
		if (number == 0x13 || number == 0x14 || number == 0x60) /* ...WINSZ, FIOQSIZE */
			return 8;
		if ((number >= 0x0f && number <= 0x11) || (number >= 0x15 && number <= 0x1b) ||
		    number == 0x20 || number == 0x21 || number == 0x23 || number == 0x24 ||
		    number == 0x29 || number == 0x52)
			return 4;
		return 0;
	}
	if ((cmd & ~255u) != 0x8900)
		return 0;
	if (number <= 0x05)
		return 4;
	if (number == 0x06 || number == 0x07 || number == 0x12) /* stamps, SIOCGIFCONF */
		return 16;
	return number >= 0x10 && number <= 0x43 ? 40 : 0; /* struct ifreq */
}

__noinline int add_ioctl(struct room *room, __u64 address, __u32 cmd)
{
	__u32 direction = cmd >> 30, size = cmd >> 16 & 0x3fff;

	if (!room)
		return 0;
	if (!direction)
		return add_bytes(room, address, old_ioctl_size(cmd));
	/* 1: the kernel reads it, 2: the kernel writes it */
	return direction & (room->r.exit_ns ? 2 : 1) ? add_bytes(room, address, size) : 0;
}

/* A structure that has its size in itself. */
__noinline int add_sized(struct room *room, __u64 address, __u32 at)
{
	__u32 size;

	if (!room || bpf_probe_read_user(&size, sizeof(size), (void *)(address + at)))
		return 0;
	return add_bytes(room, address, size ? size : 64);
}

/* A pointer and a length, and the bytes there: the mask of pselect6. */
__noinline int add_mask(struct room *room, __u64 address)
{
	struct longs mask = {};

	if (!room || longs_read(room, &mask, address, 2))
		return 0;
	add_bytes(room, address, 2 * long_size(room));
	return add_bytes(room, mask.at[0], mask.at[1] > 128 ? 128 : mask.at[1]);
}

__noinline int add_strings(struct room *room, __u64 address)
{
	struct longs pointer = {};
	__u32 width;

	if (!room)
		return 0;
	width = long_size(room);
	for (__u32 i = 0; i < WORDS_MOST; i++) {
		if (longs_read(room, &pointer, address + i * width, 1))
			break;
		add_bytes(room, address + i * width, width);
		if (!pointer.at[0])
			break;
		/* one byte more than is shown tells a word that goes on from one that ends there */
		add_string(room, pointer.at[0], string_size + 2);
	}
	return 0;
}

__noinline int copy(struct room *room, __u32 how, __u64 address, __u64 n, __u32 size)
{
	__u32 length;

	if (!room || address < LOWEST)
		return 0;
	switch (how) {
	case TRACE_STRING:
		return add_string(room, address, STRING_MOST);
	case TRACE_BYTES:
		return add_bytes(room, address, n + size);
	case TRACE_FIXED:
		return add_bytes(room, address, size);
	case TRACE_ARRAY:
		return add_bytes(room, address, n > 64 ? 64 * size : n * size);
	case TRACE_IOV:
		return add_vector(room, address, n,
				  room->r.exit_ns ? (__u64)room->r.result : ~0ull);
	case TRACE_MSG:
		return add_message(room, address, size,
				   room->r.exit_ns ? (__u64)room->r.result : ~0ull);
	case TRACE_STRINGS:
		return add_strings(room, address);
	case TRACE_SIZED:
		return add_sized(room, address, size);
	case TRACE_IOCTL:
		return add_ioctl(room, address, n);
	case TRACE_MMSG:
		return add_messages(room, address, n, size);
	case TRACE_MASK:
		return add_mask(room, address);
	case TRACE_SOCKADDR:
		add_bytes(room, n, 4);
		if (!bpf_probe_read_user(&length, sizeof(length), (void *)n))
			add_bytes(room, address, length > 128 ? 128 : length);
		return 0;
	}
	return 0;
}

__noinline int copy_all(struct room *room, struct trace_plan *plan, __u32 at_exit, __u32 failed)
{
	if (!room || !plan)
		return 0;
	for (__u32 i = 0; i < TRACE_STEPS; i++) {
		struct trace_step *s = &plan->steps[i];
		__u32 before = room->r.bytes;
		__u64 n = 0;

		if (i >= plan->n)
			break;
		if (at_exit ? !(failed ? s->failure : s->exit) && !(room->missing & 1 << i)
			    : !s->enter)
			continue;
		if (s->length < 6)
			n = room->r.args[s->length & 7];
		else if (s->length == 6)
			n = room->r.result > 0 ? room->r.result : 0;
		if (s->data && n > string_size)
			n = string_size;
		room->unread = false;
		copy(room, s->how, s->arg < 6 ? room->r.args[s->arg] : 0, n, s->size);
		if (!at_exit && (room->unread || room->r.bytes == before))
			room->missing |= 1 << i;
	}
	return 0;
}

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
