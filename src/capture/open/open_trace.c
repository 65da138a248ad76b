// SPDX-License-Identifier: MIT
/* Debug lines about each perf_event_open call. */
#include "capture/open/open.h"

#include "os/perf.h"

#include <string.h>

#define RULE "------------------------------------------------------------\n"

static void open_trace_tell(const struct open_trace *t, struct buf *b)
{
	t->lines.put(t->lines.ctx, buf_text(b));
	buf_release(b);
}

/* Writes an attribute once for all the CPUs and threads it is opened on. */
static void trace_attr(struct open_trace *t, const struct event *ev, const struct attr *a)
{
	struct buf b = {0};

	if (t->event == ev && !memcmp(&t->attr, a, sizeof(*a)))
		return;
	t->event = ev;
	t->attr = *a;
	buf_str(&b, RULE "perf_event_attr:\n");
	attr_show_lines(a, &b);
	buf_str(&b, RULE);
	open_trace_tell(t, &b);
}

int trace_open(struct open_trace *t, const struct event *ev, const struct attr *attr, int pid,
	       int cpu, int group, unsigned int flags)
{
	uint8_t bytes[sizeof(*attr)];
	struct buf b = {0};
	int fd;

	attr_encode(attr, bytes);
	if (!t->lines.put)
		return perf_open(bytes, pid, cpu, group, flags);
	trace_attr(t, ev, attr);
	fd = perf_open(bytes, pid, cpu, group, flags);
	buf_printf(&b, "sys_perf_event_open: pid %d  cpu %d  group_fd %d  flags %#lx", pid, cpu,
		   group, perf_open_flags(flags));
	if (fd >= 0)
		buf_printf(&b, " = %d\n", fd);
	else
		buf_printf(&b, "\nsys_perf_event_open failed, error %d\n", fd);
	open_trace_tell(t, &b);
	return fd;
}
