// SPDX-License-Identifier: MIT
#include "view/trace/call_line.h"

/* perf prints milliseconds from a double. The double of a half is slightly more or less than the
 * half, and printf rounds accordingly. */
static uint64_t thousandths(uint64_t ns)
{
	uint64_t us = ns / 1000, rest = ns % 1000;
	long double half = (long double)us + 0.5L, is;

	if (rest != 500)
		return us + (rest > 500);
	is = (long double)((double)ns / 1e6) * 1000;
	return us + (is > half || (is == half && us & 1));
}

void call_time_show(const struct call_lines *l, uint64_t ns, struct buf *out)
{
	uint64_t us = thousandths(ns - (l->full_time ? 0 : l->base_ns));

	buf_point(out, us, 3, 10);
	buf_char(out, ' ');
}

static void head_show(const struct call_lines *l, const struct call *c, bool timed, struct buf *out)
{
	if (l->no_time)
		;
	else if (c->entered && !c->early)
		call_time_show(l, c->enter_ns, out);
	else
		buf_str(out, "         ? ");
	if (l->no_duration) {
		;
	} else if (timed) {
		uint64_t us = thousandths(c->exit_ns - c->enter_ns);

		buf_char(out, '(');
		buf_point(out, us, 3, 6);
		buf_str(out, " ms): ");
	} else {
		buf_str(out, "(         ): ");
	}
	if (l->cpu)
		buf_printf(out, "[%03u] ", c->cpu);
	if (l->no_pid)
		return;
	if (!l->no_comm) {
		buf_safe(out, c->comm);
		buf_char(out, '/');
	}
	buf_dec(out, c->tid);
	buf_char(out, ' ');
}

static void pad(struct buf *out, size_t from, size_t width)
{
	size_t n = out->n - from;

	if (n < width)
		buf_fill(out, ' ', width - n);
}

void call_line_show(struct call_lines *l, const struct call *c, enum call_told what,
		    struct buf *out)
{
	size_t from, width = l->align ? l->align - 1 : 0; /* a blank stands before the result */

	if (l->rows.form) {
		call_row_show(&l->rows, &l->style, c, out);
		return;
	}
	if (!l->base_ns)
		l->base_ns = call_first_ns(c);
	head_show(l, c, call_is_timed(c), out);
	from = out->n;
	if (what == CALL_CONTINUED || what == CALL_EARLY)
		buf_str(out, " ... [continued]: ");
	call_name(c, out);
	buf_char(out, '(');
	/* At the end those that the kernel has written since the call began; and perf's two
	 * parentheses. */
	call_args_show(c, &l->style, what == CALL_CONTINUED, out);
	if (what == CALL_CONTINUED || what == CALL_EARLY)
		buf_char(out, ')');
	buf_char(out, ')');
	if (what == CALL_BEGUN) {
		pad(out, from, width);
		buf_str(out, " ...\n");
		return;
	}
	pad(out, from, width);
	buf_str(out, " = ");
	if (what == CALL_ENDLESS)
		buf_char(out, '?');
	else
		call_result_show(c, &l->style, out);
	buf_char(out, '\n');
}
