// SPDX-License-Identifier: MIT
/* Locks of files, operations of semaphores, futexes that are waited for together, alternate stacks
 * of signals, lists of groups, and vectors of other processes. */
#include "view/trace/call_fields.h"

#include "base/mem.h"

#define ELEMENTS_MOST 64 /* of an array, those are copied */

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

/* An array of structures of size bytes. */
static bool array_show(const struct call_text *t, size_t size, const struct field *fields,
		       size_t n_fields)
{
	const uint64_t count = call_length(t);
	size_t n;
	const uint8_t *p = call_bytes(t->call, t->value, &n);

	if (!p || n < size)
		return false;
	buf_char(t->out, '[');
	for (uint64_t i = 0; i < count; i++) {
		if (i)
			buf_str(t->out, ", ");
		if (i == ELEMENTS_MOST || (i + 1) * size > n) {
			buf_str(t->out, "...");
			break;
		}
		call_fields_show(t, p + i * size, size, fields, n_fields);
	}
	buf_char(t->out, ']');
	return true;
}

static bool numbers_show(const struct call_text *t)
{
	const uint64_t count = call_length(t);
	size_t n;
	const uint8_t *p = call_bytes(t->call, t->value, &n);

	if (!t->call->copies || !t->call->returned || call_failed(t->call) || !t->value ||
	    (!p && count))
		return false;
	buf_char(t->out, '[');
	for (uint64_t i = 0; i < count; i++) {
		if (i)
			buf_str(t->out, ", ");
		if ((i + 1) * 4 > n) {
			buf_str(t->out, "...");
			break;
		}
		buf_dec(t->out, field_number(p + i * 4, 4));
	}
	buf_char(t->out, ']');
	return true;
}

bool call_lock_show(const struct call_text *t)
{
	switch (t->arg->kind) {
	case KIND_fcntl_arg:
		return lock_show(t);
	case KIND_sembufs:
		return array_show(t, 6, semaphore_fields, ARRAY_SIZE(semaphore_fields));
	case KIND_futexes:
		return array_show(t, 24, futex_fields, ARRAY_SIZE(futex_fields));
	case KIND_iov_remote:
		return array_show(t, 16, remote_fields, ARRAY_SIZE(remote_fields));
	case KIND_stack_out:
		if (!t->call->returned || call_failed(t->call))
			return false;
		return call_fields_show_arg(t, stack_fields, ARRAY_SIZE(stack_fields));
	case KIND_stack:
		return call_fields_show_arg(t, stack_fields, ARRAY_SIZE(stack_fields));
	case KIND_ids_out:
		return numbers_show(t);
	default:
		return false;
	}
}
