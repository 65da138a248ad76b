// SPDX-License-Identifier: MIT
/* What the kernel was asked for, told as it happens. */
#include "capture/open.h"

#include "os/perf.h"

#include <string.h>

#define RULE "------------------------------------------------------------\n"

static void tell(const struct capture *c, struct buf *b)
{
	const struct debug_lines *d = &c->opts.opens;

	d->put(d->ctx, buf_text(b));
	buf_release(b);
}

/* An attribute is told once for all the CPUs and threads it is opened on. */
static void trace_attr(struct capture *c, const struct event *ev, const struct attr *a)
{
	struct buf b = {0};

	if (c->traced == ev && !memcmp(&c->traced_attr, a, sizeof(*a)))
		return;
	c->traced = ev;
	c->traced_attr = *a;
	buf_str(&b, RULE "perf_event_attr:\n");
	attr_show_lines(a, &b);
	buf_str(&b, RULE);
	tell(c, &b);
}

int trace_open(struct capture *c, const struct event *ev, const struct attr *attr, int pid, int cpu,
	       int group, unsigned int flags)
{
	uint8_t bytes[sizeof(*attr)];
	struct buf b = {0};
	int fd;

	attr_encode(attr, bytes);
	if (!c->opts.opens.put)
		return perf_open(bytes, pid, cpu, group, flags);
	trace_attr(c, ev, attr);
	fd = perf_open(bytes, pid, cpu, group, flags);
	buf_printf(&b, "sys_perf_event_open: pid %d  cpu %d  group_fd %d  flags %#lx", pid, cpu,
		   group, perf_open_flags(flags));
	if (fd >= 0)
		buf_printf(&b, " = %d\n", fd);
	else
		buf_printf(&b, "\nsys_perf_event_open failed, error %d\n", fd);
	tell(c, &b);
	return fd;
}
