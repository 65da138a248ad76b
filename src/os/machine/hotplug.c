// SPDX-License-Identifier: MIT
#include "os/machine/hotplug.h"

#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CPUS_NOTED 65536

void hotplug_open(struct hotplug *h)
{
	/* group 1: the kernel's own, not udev's */
	struct sockaddr_nl from_kernel = {.nl_family = AF_NETLINK, .nl_groups = 1};

	h->fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
		       NETLINK_KOBJECT_UEVENT);
	if (h->fd >= 0 && bind(h->fd, (struct sockaddr *)&from_kernel, sizeof(from_kernel)))
		hotplug_close(h);
}

static struct hotplug_cpu *hotplug_find(struct hotplug *h, int cpu, uint64_t now_ns)
{
	struct hotplug_cpu *c;

	for (size_t i = 0; i < h->cpus.n; i++)
		if (h->cpus.at[i].cpu == cpu)
			return &h->cpus.at[i];
	c = vec_extend(&h->cpus, 1);
	*c = (struct hotplug_cpu){.cpu = cpu, .since_ns = now_ns};
	return c;
}

/* Adds the time in the current state, up to now_ns. */
static struct hotplug_cpu up_to(struct hotplug_cpu c, uint64_t now_ns)
{
	if (c.state == HOTPLUG_AWAY)
		c.away_ns += now_ns - c.since_ns;
	else if (c.state == HOTPLUG_MISSED)
		c.missed_ns += now_ns - c.since_ns;
	c.since_ns = now_ns;
	return c;
}

struct hotplug_cpu *hotplug_note(struct hotplug *h, const char *said, uint64_t now_ns)
{
	struct hotplug_cpu *c;
	char how[8];
	int cpu, end = 0;

	if (sscanf(said, "%7[a-z]@/devices/system/cpu/cpu%5d%n", how, &cpu, &end) != 2 ||
	    said[end] || cpu < 0 || cpu >= CPUS_NOTED)
		return NULL;
	if (strcmp(how, "offline") != 0 && strcmp(how, "online") != 0)
		return NULL;
	c = hotplug_find(h, cpu, now_ns);
	*c = up_to(*c, now_ns);
	c->state = how[1] == 'f' ? HOTPLUG_AWAY : HOTPLUG_MISSED;
	return c;
}

struct hotplug_cpu *hotplug_next(struct hotplug *h, uint64_t now_ns)
{
	struct sockaddr_nl from;
	char said[4096];
	struct iovec where = {.iov_base = said, .iov_len = sizeof(said) - 1};
	struct msghdr m = {
		.msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &where, .msg_iovlen = 1};
	struct hotplug_cpu *c = NULL;
	ssize_t n;

	while (!c && h->fd > 0 && (n = recvmsg(h->fd, &m, 0)) >= 0) {
		said[n] = 0;
		/* other processes have port numbers */
		if (m.msg_namelen == sizeof(from) && !from.nl_pid)
			c = hotplug_note(h, said, now_ns);
		m.msg_namelen = sizeof(from);
	}
	return c;
}

static bool among(const int *cpus, size_t n, int cpu)
{
	for (size_t i = 0; cpus && i < n; i++)
		if (cpus[i] == cpu)
			return true;
	return !cpus;
}

void hotplug_tell(const struct hotplug *h, const int *cpus, size_t n, uint64_t now_ns,
		  struct buf *out)
{
	for (size_t i = 0; i < h->cpus.n; i++) {
		struct hotplug_cpu c = up_to(h->cpus.at[i], now_ns);

		if (!among(cpus, n, c.cpu))
			continue;
		if (c.away_ns)
			buf_printf(out, "CPU %d was offline for %.2f s", c.cpu,
				   (double)c.away_ns / 1e9);
		else
			buf_printf(out, "CPU %d came online", c.cpu);
		if (c.missed_ns)
			buf_printf(out, "; what it did after that, for %.2f s, is missing",
				   (double)c.missed_ns / 1e9);
		buf_str(out, ".\n");
	}
}

void hotplug_close(struct hotplug *h)
{
	if (h->fd > 0)
		close(h->fd);
	h->fd = -1;
	vec_release(&h->cpus);
}
