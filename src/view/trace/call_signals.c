// SPDX-License-Identifier: MIT
/* siginfo_t and masks of signals, as strace writes them. */
#include "view/trace/call_fields.h"

#include "base/mem.h"

#include <signal.h>
#include <string.h>

/* siginfo_t of <asm-generic/siginfo.h> on 64-bit machines. Which fields are filled in depends on
 * the signal and its code. */
struct signal_info {
	int32_t signo, error, code, unused;
	int32_t pid;  /* of a timer: its id */
	uint32_t uid; /* of a timer: how often it was overrun */
	union {
		struct {
			int32_t status, unused;
			int64_t user_time, system_time;
		} child;
		struct {
			uint64_t pointer;
		} value;
	};
};

static void signal_name_show(const struct call_text *t, int number)
{
	if (!t->style->prefixes)
		buf_str(t->out, "SIG");
	call_enum_show(t, WORDS_signal, (uint64_t)number, t->style->prefixes ? "SIG%d" : "%d");
}

static void child_show(const struct call_text *t, const struct signal_info *s)
{
	buf_printf(t->out, ", si_pid=%d, si_uid=%u, si_status=", s->pid, s->uid);
	if (s->code == CLD_EXITED)
		buf_sdec(t->out, s->child.status);
	else
		signal_name_show(t, s->child.status);
	/* waitid does not fill in the times */
	if (t->call->desc->id != CALL_ID_waitid)
		buf_printf(t->out, ", si_utime=%lld, si_stime=%lld", (long long)s->child.user_time,
			   (long long)s->child.system_time);
}

/* Appends the code's name; false: it is a number. */
static bool code_show(const struct call_text *t, const struct signal_info *s)
{
	static const char *const children[] = {"",	  "EXITED",  "KILLED",	 "DUMPED",
					       "TRAPPED", "STOPPED", "CONTINUED"};
	static const char *const others[] = {"USER",	"QUEUE", "TIMER", "MESGQ",
					     "ASYNCIO", "SIGIO", "TKILL"};

	buf_str(t->out, ", si_code=");
	if (s->code <= 0 && s->code > -(int)ARRAY_SIZE(others)) {
		buf_printf(t->out, "SI_%s", others[-s->code]);
		return true;
	}
	if (s->signo == SIGCHLD && s->code > 0 && s->code < (int)ARRAY_SIZE(children)) {
		buf_printf(t->out, "CLD_%s", children[s->code]);
		return true;
	}
	buf_sdec(t->out, s->code);
	return false;
}

static void value_show(const struct call_text *t, uint64_t value)
{
	buf_printf(t->out, ", si_int=%d, si_ptr=", (int)value);
	if (value)
		buf_printf(t->out, "%#llx", (unsigned long long)value);
	else
		buf_str(t->out, "NULL");
}

/* All zero: no child has changed its state. */
static bool info_show(const struct call_text *t)
{
	struct signal_info s;

	if (!call_read(t->call, t->value, &s, sizeof(s)))
		return false;
	if (!s.signo) {
		buf_str(t->out, "{}");
		return true;
	}
	buf_str(t->out, "{si_signo=");
	signal_name_show(t, s.signo);
	if (!code_show(t, &s)) {
		buf_str(t->out, ", ...}");
		return true;
	}
	if (s.code > 0) {
		child_show(t, &s);
	} else if (s.code == SI_TIMER) {
		buf_printf(t->out, ", si_timerid=%d, si_overrun=%d", s.pid, (int)s.uid);
		value_show(t, s.value.pointer);
	} else {
		buf_printf(t->out, ", si_pid=%d, si_uid=%u", s.pid, s.uid);
		if (s.code == SI_QUEUE || s.code == SI_MESGQ)
			value_show(t, s.value.pointer);
	}
	buf_char(t->out, '}');
	return true;
}

/* What pselect6 waits with: a pointer to a set of signals, and the set's size. */
static bool mask_show(const struct call_text *t)
{
	uint64_t mask[2];
	struct call_text set = *t;

	if (!call_read(t->call, t->value, mask, sizeof(mask)))
		return false;
	buf_str(t->out, "{sigmask=");
	set.value = mask[0];
	if (!mask[0])
		buf_str(t->out, "NULL");
	else if (!call_signals_show(&set))
		buf_printf(t->out, "%#llx", (unsigned long long)mask[0]);
	buf_printf(t->out, ", sigsetsize=%llu}", (unsigned long long)mask[1]);
	return true;
}

bool call_signal_info_show(const struct call_text *t)
{
	switch (t->arg->kind) {
	case KIND_siginfo:
		return t->call->returned && !call_failed(t->call) && info_show(t);
	case KIND_siginfo_in:
		return info_show(t);
	case KIND_mask_arg:
		return mask_show(t);
	default:
		return false;
	}
}
