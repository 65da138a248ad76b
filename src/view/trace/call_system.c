// SPDX-License-Identifier: MIT
/* Capabilities, the clock's adjustment, filters of system calls, and what System V's queues,
 * semaphores and shared memory have behind pointers, as strace writes them. */
#include "view/trace/call_fields.h"

#include "base/mem.h"

#include <string.h>

/* struct __user_cap_header_struct of <linux/capability.h> */
struct capability_head {
	uint32_t version;
	int32_t pid;
};

static bool capability_head_show(const struct call_text *t)
{
	static const uint32_t versions[] = {0x19980330, 0x20071026, 0x20080522};
	struct capability_head h;

	if (!call_read(t->call, t->value, &h, sizeof(h)))
		return false;
	buf_str(t->out, "{version=");
	for (unsigned int i = 0; i < ARRAY_SIZE(versions); i++) {
		if (h.version != versions[i])
			continue;
		buf_printf(t->out, "_LINUX_CAPABILITY_VERSION_%u, pid=%d}", i + 1, h.pid);
		return true;
	}
	buf_printf(t->out, "%#x, pid=%d}", h.version, h.pid);
	return true;
}

static void capability_set_show(const struct call_text *t, uint64_t set)
{
	bool first = true;

	if (!set)
		buf_char(t->out, '0');
	for (unsigned int i = 0; i < 64; i++) {
		if (!(set >> i & 1))
			continue;
		buf_str(t->out, first ? "1<<" : "|1<<");
		call_enum_show(t, WORDS_cap, i, "%d");
		first = false;
	}
}

/* The three sets: of 32 bits in the first version, else their upper halves come behind. */
static bool capability_sets_show(const struct call_text *t)
{
	static const char *const names[] = {"{effective=", ", permitted=", ", inheritable="};
	struct capability_head h;
	uint32_t sets[6];

	if (!call_read(t->call, t->value, sets, sizeof(sets)) ||
	    !call_read(t->call, t->call->args[0], &h, sizeof(h)))
		return false;
	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++) {
		const uint64_t upper = h.version == 0x19980330 ? 0 : sets[i + 3];

		buf_str(t->out, names[i]);
		capability_set_show(t, upper << 32 | sets[i]);
	}
	buf_char(t->out, '}');
	return true;
}

static const struct field time_fields[] = {
	{"tv_sec", 0, 8, FIELD_SIGNED},
	{"tv_usec", 8, 8, FIELD_SIGNED},
};

/* struct __kernel_timex of <linux/timex.h> */
static const struct field clock_fields[] = {
	{"modes", 0, 4, FIELD_BITS, .words = WORDS_adj},
	{"offset", 8, 8, FIELD_SIGNED},
	{"freq", 16, 8, FIELD_SIGNED},
	{"maxerror", 24, 8, FIELD_SIGNED},
	{"esterror", 32, 8, FIELD_SIGNED},
	{"status", 40, 4, FIELD_BITS, .words = WORDS_sta},
	{"constant", 48, 8, FIELD_SIGNED},
	{"precision", 56, 8, FIELD_SIGNED},
	{"tolerance", 64, 8, FIELD_SIGNED},
	{"time", 72, 16, FIELD_INSIDE, .inside = time_fields, .n_inside = ARRAY_SIZE(time_fields)},
	{"tick", 88, 8, FIELD_SIGNED},
	{"ppsfreq", 96, 8, FIELD_SIGNED},
	{"jitter", 104, 8, FIELD_SIGNED},
	{"shift", 112, 4, FIELD_SIGNED},
	{"stabil", 120, 8, FIELD_SIGNED},
	{"jitcnt", 128, 8, FIELD_SIGNED},
	{"calcnt", 136, 8, FIELD_SIGNED},
	{"errcnt", 144, 8, FIELD_SIGNED},
	{"stbcnt", 152, 8, FIELD_SIGNED},
	{"tai", 160, 4, FIELD_SIGNED},
};

/* struct sock_fprog of <linux/filter.h> */
static const struct field filter_fields[] = {
	{"len", 0, 2, FIELD_NUMBER},
	{"filter", 8, 8, FIELD_HEX},
};

bool call_installs_filter(const struct call *c)
{
	enum { SET_SECCOMP = 22, MODE_FILTER = 2 };

	return c->args[0] == SET_SECCOMP && c->args[1] == MODE_FILTER;
}

/* struct seccomp_notif_sizes of <linux/seccomp.h> */
static const struct field sizes_fields[] = {
	{"seccomp_notif", 0, 2, FIELD_NUMBER},
	{"seccomp_notif_resp", 2, 2, FIELD_NUMBER},
	{"seccomp_data", 4, 2, FIELD_NUMBER},
};

static bool seccomp_show(const struct call_text *t)
{
	enum { SET_FILTER = 1, ACTION, SIZES };
	uint32_t action;

	switch (t->call->args[0]) {
	case SET_FILTER:
		return call_fields_show_arg(t, filter_fields, ARRAY_SIZE(filter_fields));
	case ACTION:
		if (!call_read(t->call, t->value, &action, sizeof(action)))
			return false;
		buf_char(t->out, '[');
		call_enum_show(t, WORDS_seccomp_ret, action, "%#x");
		buf_char(t->out, ']');
		return true;
	case SIZES:
		return t->call->returned && !call_failed(t->call) &&
		       call_fields_show_arg(t, sizes_fields, ARRAY_SIZE(sizes_fields));
	default:
		return false;
	}
}

/* struct ipc64_perm of <asm-generic/ipcbuf.h>; the first fields are those that IPC_SET takes */
static const struct field owner_fields[] = {
	{"uid", 4, 4, FIELD_NUMBER}, {"gid", 8, 4, FIELD_NUMBER},   {"mode", 20, 4, FIELD_OCTAL},
	{"key", 0, 4, FIELD_SIGNED}, {"cuid", 12, 4, FIELD_NUMBER}, {"cgid", 16, 4, FIELD_NUMBER},
};
#define OWNER(name_)                                                                               \
	{                                                                                          \
		name_, 0, 48, FIELD_INSIDE, .inside = owner_fields,                                \
					    .n_inside = ARRAY_SIZE(owner_fields)                   \
	}
#define OWNER_SET(name_)                                                                           \
	{                                                                                          \
		name_, 0, 48, FIELD_INSIDE, .inside = owner_fields, .n_inside = 3                  \
	}

/* struct msqid64_ds of <asm-generic/msgbuf.h> */
static const struct field queue_fields[] = {
	OWNER("msg_perm"),
	{"msg_stime", 48, 8, FIELD_NUMBER},
	{"msg_rtime", 56, 8, FIELD_NUMBER},
	{"msg_ctime", 64, 8, FIELD_NUMBER},
	{"msg_qnum", 80, 8, FIELD_NUMBER},
	{"msg_qbytes", 88, 8, FIELD_NUMBER},
	{"msg_lspid", 96, 4, FIELD_SIGNED},
	{"msg_lrpid", 100, 4, FIELD_SIGNED},
};
static const struct field queue_set_fields[] = {
	OWNER_SET("msg_perm"),
	{"msg_qbytes", 88, 8, FIELD_NUMBER},
};

/* struct semid64_ds of x86's <asm/sembuf.h>, and that of <asm-generic/sembuf.h> */
static const struct field x86_semaphores_fields[] = {
	OWNER("sem_perm"),
	{"sem_otime", 48, 8, FIELD_NUMBER},
	{"sem_ctime", 64, 8, FIELD_NUMBER},
	{"sem_nsems", 80, 8, FIELD_NUMBER},
};
static const struct field semaphores_fields[] = {
	OWNER("sem_perm"),
	{"sem_otime", 48, 8, FIELD_NUMBER},
	{"sem_ctime", 56, 8, FIELD_NUMBER},
	{"sem_nsems", 64, 8, FIELD_NUMBER},
};
static const struct field semaphores_set_fields[] = {OWNER_SET("sem_perm")};

/* struct shmid64_ds of <asm-generic/shmbuf.h> */
static const struct field memory_fields[] = {
	OWNER("shm_perm"),
	{"shm_segsz", 48, 8, FIELD_NUMBER},
	{"shm_cpid", 80, 4, FIELD_SIGNED},
	{"shm_lpid", 84, 4, FIELD_SIGNED},
	{"shm_nattch", 88, 8, FIELD_NUMBER},
	{"shm_atime", 56, 8, FIELD_NUMBER},
	{"shm_dtime", 64, 8, FIELD_NUMBER},
	{"shm_ctime", 72, 8, FIELD_NUMBER},
};
static const struct field memory_set_fields[] = {OWNER_SET("shm_perm")};

/* What IPC_SET takes and IPC_STAT fills in. */
static bool object_show(const struct call_text *t, uint64_t cmd, const struct field *set,
			size_t n_set, const struct field *stat, size_t n_stat)
{
	enum { IPC_SET = 1, IPC_STAT };

	if (cmd == IPC_SET)
		return call_fields_show_arg(t, set, n_set);
	return cmd == IPC_STAT && t->call->returned && !call_failed(t->call) &&
	       call_fields_show_arg(t, stat, n_stat);
}

#define MESSAGE_HEAD 8 /* the type in front of a message */

static bool message_show(const struct call_text *t)
{
	const uint64_t length = call_length(t);
	size_t n;
	const uint8_t *p = call_bytes(t->call, t->value, &n);
	size_t shown;

	if (!p || n < MESSAGE_HEAD)
		return false;
	shown = MIN(MIN(n - MESSAGE_HEAD, (size_t)length), (size_t)t->style->strings);
	buf_printf(t->out, "{mtype=%lld, mtext=", (long long)field_number(p, MESSAGE_HEAD));
	call_quote(p + MESSAGE_HEAD, shown, length > shown, t->out);
	buf_char(t->out, '}');
	return true;
}

static bool ipc_show(const struct call_text *t)
{
	const uint64_t *args = t->call->args;

	switch (t->arg->kind) {
	case KIND_msgbuf:
		return message_show(t);
	case KIND_msgbuf_out:
		return t->call->returned && !call_failed(t->call) && message_show(t);
	case KIND_msgctl_arg:
		return object_show(t, args[1], queue_set_fields, ARRAY_SIZE(queue_set_fields),
				   queue_fields, ARRAY_SIZE(queue_fields));
	case KIND_shmctl_arg:
		return object_show(t, args[1], memory_set_fields, ARRAY_SIZE(memory_set_fields),
				   memory_fields, ARRAY_SIZE(memory_fields));
	case KIND_semctl_arg:
		return object_show(
			t, args[2], semaphores_set_fields, ARRAY_SIZE(semaphores_set_fields),
			t->call->abi == CALL_GENERIC ? semaphores_fields : x86_semaphores_fields,
			ARRAY_SIZE(semaphores_fields));
	default:
		return false;
	}
}

bool call_system_show(const struct call_text *t)
{
	switch (t->arg->kind) {
	case KIND_cap_head:
		return capability_head_show(t);
	case KIND_cap_sets:
		return capability_sets_show(t);
	case KIND_cap_sets_out:
		return t->call->returned && !call_failed(t->call) && capability_sets_show(t);
	case KIND_timex:
		return t->call->returned && !call_failed(t->call) &&
		       call_fields_show_arg(t, clock_fields, ARRAY_SIZE(clock_fields));
	case KIND_seccomp_arg:
		return seccomp_show(t);
	case KIND_prctl_arg3:
		return call_fields_show_arg(t, filter_fields, ARRAY_SIZE(filter_fields));
	default:
		return ipc_show(t);
	}
}
