/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a perf, this makes counters that the machine lacks, with known values:
 *
 *   COUNTERS="0:0=3000000 0:1=4500000/1000/500 4:3c=7 0:4=none"
 *
 * TYPE:CONFIG=VALUE[/ENABLED/RUNNING], the config in hexadecimal. Such an event opens on any CPU
 * and task; each read of it finds that much more (of a counter on CPU N, N + 1 times as much). With
 * `none` the kernel says that there is no such event. TYPE:*=VALUE at the end stands for all other
 * configs, whose values then differ by the lower bits of the config. All others are the kernel's
 * own. GROUP_ROOM=N refuses the event that makes a group larger than N, as hardware with so many
 * counters does.
 *
 * Tested programs must call libc's syscall(), ioctl(), read() and close().
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILES 65536

static struct counter {
	int used, leader;
	uint64_t format, value, enabled, running, reads;
} counters[FILES];

static int find(const struct perf_event_attr *attr, struct counter *out)
{
	const char *p = getenv("COUNTERS");
	unsigned int type;
	unsigned long long config, value, enabled, running;

	for (; p && *p; p = strchr(p, ' ') ? strchr(p, ' ') + 1 : NULL) {
		int n = 0;

		unsigned int any = 0;

		if (sscanf(p, "%u:*=%n", &type, &n) == 1 && n)
			any = attr->config & 0xfff, config = attr->config;
		else if (sscanf(p, "%u:%llx=%n", &type, &config, &n) < 2 || !n)
			continue;
		if (type != attr->type || config != attr->config)
			continue;
		if (!strncmp(p + n, "none", 4))
			return -1;
		enabled = running = 1000000000;
		if (sscanf(p + n, "%llu/%llu/%llu", &value, &enabled, &running) < 1)
			abort();
		*out = (struct counter){1, -1, attr->read_format, value + any, enabled, running, 0};
		return 1;
	}
	return 0;
}

static long opened(const struct counter *c, int cpu, int group)
{
	int fd = memfd_create("counter", MFD_CLOEXEC);

	if (fd < 0 || fd >= FILES) {
		errno = EMFILE;
		return -1;
	}
	counters[fd] = *c;
	counters[fd].leader = group < 0 ? fd : group;
	if (cpu > 0)
		counters[fd].value *= (uint64_t)cpu + 1;
	return fd;
}

static struct counter *ours(int fd)
{
	return fd >= 0 && fd < FILES && counters[fd].used ? &counters[fd] : NULL;
}

static int has_room(int group)
{
	const char *room = getenv("GROUP_ROOM");
	int members = 0;

	for (int fd = 0; room && group >= 0 && fd < FILES; fd++)
		members += counters[fd].used && counters[fd].leader == group;
	return !room || group < 0 || members < atoi(room);
}

long syscall(long number, ...)
{
	static long (*real)(long, ...);
	struct counter c;
	long a[6];
	va_list ap;
	int found;

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open) {
		found = find((const struct perf_event_attr *)a[0], &c);
		if (found > 0 && !has_room((int)a[3])) {
			errno = EINVAL;
			return -1;
		}
		if (found > 0)
			return opened(&c, (int)a[2], (int)a[3]);
		if (found < 0) {
			errno = ENOENT;
			return -1;
		}
		if (ours((int)a[3]))
			a[3] = -1;
	}
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*real)(int, unsigned long, ...);
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "ioctl");
	if (!ours(fd))
		return real(fd, request, arg);
	if (request == PERF_EVENT_IOC_ID)
		*(unsigned long long *)arg = (unsigned long long)fd;
	if (request == PERF_EVENT_IOC_RESET)
		ours(fd)->reads = 0;
	return 0;
}

/* One counter, or a leader's whole group. */
ssize_t read(int fd, void *p, size_t n)
{
	static ssize_t (*real)(int, void *, size_t);
	struct counter *c = ours(fd);
	uint64_t words[3 + 2 * 64] = {0};
	size_t used = 0;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "read");
	if (!c)
		return real(fd, p, n);
	c->reads++;
	if (!(c->format & PERF_FORMAT_GROUP))
		words[used++] = c->value * c->reads;
	else
		words[used++] = 0; /* how many */
	if (c->format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		words[used++] = c->enabled * c->reads;
	if (c->format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		words[used++] = c->running * c->reads;
	for (int i = 0; (c->format & PERF_FORMAT_GROUP) && i < FILES && used < 128; i++) {
		if (!counters[i].used || counters[i].leader != fd)
			continue;
		words[0]++;
		words[used++] = counters[i].value * c->reads;
		if (c->format & PERF_FORMAT_ID)
			words[used++] = (uint64_t)i;
	}
	if (!(c->format & PERF_FORMAT_GROUP) && (c->format & PERF_FORMAT_ID))
		words[used++] = (uint64_t)fd;
	memcpy(p, words, n < sizeof(words) ? n : sizeof(words));
	return (ssize_t)(n < used * 8 ? n : used * 8);
}

int close(int fd)
{
	static int (*real)(int);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "close");
	if (ours(fd))
		counters[fd].used = 0;
	return real(fd);
}
