// SPDX-License-Identifier: MIT
#include "view/trace/call_text.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

/* Appends the value; false: as a bare pointer. */
static bool value_show(const struct call_text *t)
{
	const struct call_kind *kind = call_kind(t->arg->kind);

	if (call_number_show(t))
		return true;
	if (!(kind->layout == LAYOUT_NATIVE && call_is_32(t->call)) &&
	    (call_strings_show(t) || call_socket_show(t) || call_struct_show(t) ||
	     call_report_show(t) || call_kernel_show(t) || call_ioctl_show(t) ||
	     call_lock_show(t) || call_signal_info_show(t) || call_system_show(t) ||
	     call_object_show(t)))
		return true;
	buf_str(t->out, "0x");
	buf_hex(t->out, t->value);
	return false;
}

static bool call_text_is_shown(const struct call_text *t, bool at_exit)
{
	const struct call_kind *kind = call_kind(t->arg->kind);

	if (at_exit && kind->when < COPY_AT_EXIT)
		return false;
	if (call_arg_unused(t->call, t->index))
		return false;
	/* Zero is shown, too, when it has a name like the other values. */
	return t->value || t->style->zeros || t->arg->kind == KIND_enum ||
	       t->arg->kind == KIND_ipc_key;
}

unsigned int call_arg_count(const struct call *c)
{
	return c->desc ? c->desc->n : CALL_ARGS;
}

const char *call_arg_name(const struct call *c, unsigned int index, char room[static 16])
{
	if (c->desc)
		return c->desc->args[index].name;
	snprintf(room, 16, "arg%u", index + 1);
	return room;
}

static bool arg_begin(struct call_text *t, unsigned int index, bool at_exit)
{
	static const struct call_arg unknown = {"arg", KIND_hex, WORDS_none, CALL_LEN_NONE};

	t->index = index;
	t->arg = t->call->desc ? &t->call->desc->args[index] : &unknown;
	t->value = t->call->args[index];
	return call_text_is_shown(t, at_exit);
}

bool call_arg_show(const struct call *c, const struct call_style *s, unsigned int index,
		   struct buf *out)
{
	struct call_text t = {.call = c, .style = s, .out = out};

	if (!c->entered || !arg_begin(&t, index, false))
		return false;
	value_show(&t);
	return true;
}

void call_args_show(const struct call *c, const struct call_style *s, bool at_exit, struct buf *out)
{
	struct call_text t = {.call = c, .style = s, .out = out};
	unsigned int shown = 0, n = call_arg_count(c);
	char unknown[16];

	if (!c->entered)
		return;
	for (unsigned int i = 0; i < n; i++) {
		const size_t before = out->n;

		if (!arg_begin(&t, i, at_exit))
			continue;
		if (shown)
			buf_str(out, ", ");
		if (!s->no_names) {
			buf_str(out, call_arg_name(c, i, unknown));
			buf_str(out, ": ");
		}
		if (value_show(&t) || !at_exit)
			shown++;
		else
			out->n = before;
	}
}

uint64_t call_length(const struct call_text *t)
{
	if (t->arg->length < CALL_ARGS)
		return t->call->args[t->arg->length];
	if (t->arg->length == CALL_LEN_RESULT && t->call->returned && t->call->result > 0)
		return (uint64_t)t->call->result;
	return 0;
}

#define OPEN_CREATES  0100	/* O_CREAT */
#define OPEN_NAMELESS 020000000 /* O_TMPFILE, without its O_DIRECTORY */
#define MAP_NO_FILE   0x20	/* MAP_ANONYMOUS */
#define REMAP_FIXED   2		/* MREMAP_FIXED */
#define CLONE_TLS     0x80000

static bool clone_arg_unused(uint64_t flags, unsigned int index)
{
	static const uint64_t users[] = {0, 0, 0x100000 /* PARENT_SETTID */,
					 0x1200000 /* CHILD_* */, CLONE_TLS};

	return index >= 2 && index < ARRAY_SIZE(users) && !(flags & users[index]);
}

/* True when the operation does not use the argument: only some use timeout, uaddr2 and val3. */
static bool futex_arg_unused(unsigned int operation, unsigned int index)
{
	enum { TIME = 1 << 3, SECOND = 1 << 4, THIRD = 1 << 5 };
	static const uint8_t unused[] = {SECOND | THIRD,
					 TIME | SECOND | THIRD,
					 TIME | SECOND | THIRD,
					 TIME | THIRD,
					 TIME,
					 0,
					 SECOND | THIRD,
					 TIME | SECOND | THIRD,
					 SECOND | THIRD,
					 SECOND,
					 TIME | SECOND,
					 0,
					 0,
					 SECOND | THIRD};

	return operation < ARRAY_SIZE(unused) && unused[operation] >> index & 1;
}

static bool fcntl_arg_unused(unsigned int cmd)
{
	static const uint16_t none[] = {1,    3,    9,	 11,
					1025, 1032, 1034}; /* F_GETFD, F_GETFL, F_GETOWN, ... */

	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		if (cmd == none[i])
			return true;
	return false;
}

/* True when the option does not use the argument. */
static bool prctl_arg_unused(unsigned int option, unsigned int index)
{
	enum { SET_PDEATHSIG = 1, SET_NAME = 15, GET_NAME = 16 };

	return index >= 2 && (option == SET_PDEATHSIG || option == SET_NAME || option == GET_NAME);
}

bool call_arg_unused(const struct call *c, unsigned int index)
{
	uint64_t flags = index ? c->args[index - 1] : 0;

	if (!c->desc)
		return false;
	switch (c->desc->args[index].kind) {
	case KIND_open_mode:
		return !(flags & (OPEN_CREATES | OPEN_NAMELESS));
	case KIND_fcntl_arg:
		return fcntl_arg_unused((unsigned int)c->args[1]);
	default:
		break;
	}
	if (index >= 4 && c->desc->args[3].kind == KIND_mmap_flags)
		return c->args[3] & MAP_NO_FILE;
	if (index >= 1 && c->desc->args[1].kind == KIND_futex_op)
		return futex_arg_unused(c->args[1] & 127, index);
	if (c->desc->args[index].name[0] == 'n' && c->desc->id == CALL_ID_mremap)
		return index == 4 && !(c->args[3] & REMAP_FIXED);
	if (c->desc->id == CALL_ID_prctl)
		return prctl_arg_unused((unsigned int)c->args[0], index);
	if (c->desc->id == CALL_ID_kcmp)
		return index >= 3 && c->args[2]; /* of KCMP_FILE */
	return c->desc->id == CALL_ID_clone && clone_arg_unused(c->args[0], index);
}

static bool waits_for_events(const struct call *c)
{
	unsigned int id = c->desc ? c->desc->id : CALL_IDS;

	return id == CALL_ID_poll || id == CALL_ID_ppoll || id == CALL_ID_select ||
	       id == CALL_ID_pselect6;
}

/* What becomes of a call that a signal has interrupted, by the error that only the kernel sees. */
static const char *restart_text(int number)
{
	enum { RESTARTSYS = 512, RESTARTNOINTR, RESTARTNOHAND, RESTART_RESTARTBLOCK = 516 };

	switch (number) {
	case RESTARTSYS:
		return "starts again unless a handler without SA_RESTART runs";
	case RESTARTNOINTR:
		return "starts again";
	case RESTARTNOHAND:
		return "starts again unless a handler runs";
	case RESTART_RESTARTBLOCK:
		return "goes on as restart_syscall unless a handler runs";
	default:
		return "known to the kernel only";
	}
}

static void error_show(int number, struct buf *out)
{
	const char *name = call_error_name(number);

	buf_str(out, "-1 ");
	if (name)
		buf_str(out, name);
	else
		buf_dec(out, (uint64_t)number);
	buf_printf(out, " (%s)", number < 512 ? strerror(number) : restart_text(number));
}

static void fcntl_result_show(const struct call_text *t)
{
	enum { GETFD = 1, GETFL = 3 };
	uint64_t cmd = t->call->entered ? t->call->args[1] : 0, result = (uint64_t)t->call->result;

	if (cmd == GETFD && result)
		call_bits_show(t, WORDS_fd_flags, result);
	else if (cmd == GETFL)
		call_open_flags_show(t, result);
	else
		buf_sdec(t->out, (int64_t)result);
}

void call_result_show(const struct call *c, const struct call_style *s, struct buf *out)
{
	unsigned int kind = c->desc ? c->desc->result : KIND_long;
	const struct call_text t = {.call = c, .style = s, .out = out};

	if (call_failed(c)) {
		error_show((int)-c->result, out);
	} else if (!c->result && waits_for_events(c)) {
		buf_str(out, "0 (Timeout)");
	} else if (kind == KIND_fcntl_arg) {
		fcntl_result_show(&t);
	} else if (kind == KIND_hex) {
		buf_str(out, "0x");
		buf_hex(out, (uint64_t)c->result);
	} else {
		buf_sdec(out, c->result);
		if (kind == KIND_pid && c->result > 0 && s->comm) {
			const char *comm = s->comm(s->ctx, (uint32_t)c->result);

			if (comm) {
				buf_str(out, " (");
				buf_safe(out, comm);
				buf_char(out, ')');
			}
		}
	}
}
