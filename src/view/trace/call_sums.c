// SPDX-License-Identifier: MIT
#include "view/trace/call_sums.h"

#include "base/mem.h"

#include <stdio.h>

static void row_show(const struct call_sum *s, const struct call_sums_style *style, struct buf *out)
{
	char unknown[32];
	const char *name = unknown;

	if (s->desc)
		name = s->desc->name;
	else
		snprintf(unknown, sizeof(unknown), "syscall_%#x", (unsigned int)s->number);
	buf_printf(out, "   %-15s %8llu %6llu %9.3f %9.3f %9.3f", name,
		   (unsigned long long)s->calls, (unsigned long long)s->errors, s->sum / 1e6,
		   (double)s->min_ns / 1e6, call_sum_mean(s) / 1e6);
	buf_printf(out, " %9.3f %9.2f%%\n", (double)s->max_ns / 1e6, call_sum_deviation(s));
	for (size_t i = 0; style->errors && i < s->by_error.n; i++) {
		const char *error = call_error_name(s->by_error.at[i].number);

		buf_printf(out, "\t\t\t\t%s: %d\n", error ? error : "?",
			   (int)s->by_error.at[i].times);
	}
}

static void calls_show(const struct call_thread *t, const struct call_sums_style *style,
		       struct buf *out)
{
	size_t n = t->calls.n;

	if (style->total && style->most)
		n = (size_t)MIN((uint64_t)n, style->most);
	if (!t->calls.n)
		return;
	buf_str(out, "\n");
	buf_str(out, "   syscall            calls  errors  total       min       avg       max     "
		     "  stddev\n");
	buf_str(out, "                                     (msec)    (msec)    (msec)    (msec)    "
		     "    (%)\n");
	buf_str(out, "   --------------- --------  ------ -------- --------- --------- ---------   "
		     "  ------\n");
	for (size_t i = 0; i < n; i++)
		row_show(&t->calls.at[i], style, out);
	buf_str(out, "\n\n");
}

void call_sums_show(const struct call_sums *s, const struct call_sums_style *style, struct buf *out)
{
	size_t n = s->threads.n;

	if (!style->total && style->most)
		n = (size_t)MIN((uint64_t)n, style->most);
	buf_str(out, "\n Summary of events:\n\n");
	for (size_t i = 0; i < n; i++) {
		const struct call_thread *t = s->threads.at[i];
		double share = s->events ? 100.0 * (double)t->events / (double)s->events : 0;

		if (!t->events)
			continue;
		if (style->total) {
			buf_printf(out, " total, %llu events", (unsigned long long)t->events);
		} else if (t->group) {
			buf_str(out, " cgroup ");
			buf_safe(out, t->group);
			buf_printf(out, ", %llu events, %.1f%%", (unsigned long long)t->events,
				   share);
		} else {
			buf_char(out, ' ');
			buf_safe(out, t->comm);
			buf_printf(out, " (%u), %llu events, %.1f%%", t->tid,
				   (unsigned long long)t->events, share);
		}
		if (t->major_faults)
			buf_printf(out, ", %llu majfaults", (unsigned long long)t->major_faults);
		if (t->minor_faults)
			buf_printf(out, ", %llu minfaults", (unsigned long long)t->minor_faults);
		if (style->runtime)
			buf_printf(out, ", %.3f msec", (double)t->runtime_ns / 1e6);
		buf_char(out, '\n');
		calls_show(t, style, out);
	}
}
