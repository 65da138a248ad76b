// SPDX-License-Identifier: MIT
/* Locks of files, operations of semaphores, futexes that are waited for together, alternate stacks
 * of signals, lists of groups, and vectors of other processes. */
#include "view/trace/call_fields.h"

#include "base/mem.h"

/* struct flock of <asm-generic/fcntl.h> */
static const struct field lock_fields[] = {
	{"l_type", 0, 2, FIELD_ENUM, .words = WORDS_lock_type},
	{"l_whence", 2, 2, FIELD_ENUM, .words = WORDS_whence},
	{"l_start", 8, 8, FIELD_SIGNED},
	{"l_len", 16, 8, FIELD_SIGNED},
	{"l_pid", 24, 4, FIELD_SIGNED},
};
#define LOCK_TAKEN 4 /* fields that the caller fills in */

/* struct sembuf of <linux/sem.h> */
static const struct field semaphore_fields[] = {
	{"sem_num", 0, 2, FIELD_NUMBER},
	{"sem_op", 2, 2, FIELD_SIGNED},
	{"sem_flg", 4, 2, FIELD_BITS, .words = WORDS_sem},
};

/* struct futex_waitv of <linux/futex.h> */
static const struct field futex_fields[] = {
	{"val", 0, 8, FIELD_HEX},
	{"uaddr", 8, 8, FIELD_HEX},
	{"flags", 16, 4, FIELD_BITS, .words = WORDS_futex2},
};

/* struct iovec of another process */
static const struct field remote_fields[] = {
	{"iov_base", 0, 8, FIELD_HEX},
	{"iov_len", 8, 8, FIELD_NUMBER},
};

/* struct sigaltstack of <asm-generic/signal.h> */
static const struct field stack_fields[] = {
	{"ss_sp", 0, 8, FIELD_HEX},
	{"ss_flags", 8, 4, FIELD_BITS, .words = WORDS_ss},
	{"ss_size", 16, 8, FIELD_NUMBER},
};

enum { GETLK = 5, SETLK = 6, SETLKW = 7, OFD_GETLK = 36, OFD_SETLK = 37, OFD_SETLKW = 38 };

bool call_takes_lock(const struct call *c)
{
	const int cmd = (int)c->args[1];

	return (cmd >= GETLK && cmd <= SETLKW) || (cmd >= OFD_GETLK && cmd <= OFD_SETLKW);
}

static bool lock_show(const struct call_text *t)
{
	const int cmd = (int)t->call->args[1];
	const bool filled =
		(cmd == GETLK || cmd == OFD_GETLK) && t->call->returned && !call_failed(t->call);

	return call_fields_show_arg(t, lock_fields, filled ? ARRAY_SIZE(lock_fields) : LOCK_TAKEN);
}

static bool groups_show(const struct call_text *t)
{
	if (!t->call->copies || !t->call->returned || call_failed(t->call) || !t->value)
		return false;
	return call_fields_show_numbers(t, 4, FIELD_NUMBER);
}

bool call_lock_show(const struct call_text *t)
{
	switch (t->arg->kind) {
	case KIND_fcntl_arg:
		return lock_show(t);
	case KIND_sembufs:
		return call_fields_show_array(t, 6, semaphore_fields, ARRAY_SIZE(semaphore_fields));
	case KIND_futexes:
		return call_fields_show_array(t, 24, futex_fields, ARRAY_SIZE(futex_fields));
	case KIND_iov_remote:
		return call_fields_show_array(t, 16, remote_fields, ARRAY_SIZE(remote_fields));
	case KIND_stack_out:
		if (!t->call->returned || call_failed(t->call))
			return false;
		return call_fields_show_arg(t, stack_fields, ARRAY_SIZE(stack_fields));
	case KIND_stack:
		return call_fields_show_arg(t, stack_fields, ARRAY_SIZE(stack_fields));
	case KIND_ids_out:
		return groups_show(t);
	default:
		return false;
	}
}
