/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a perf, this shows which events it asks the kernel for, and lets all of them open,
 * those that the machine lacks too: perf_event_open gives a file of zeros, whose counters read as 0
 * and whose rings stay empty. Each call is a line of $OPENS_LOG:
 *
 *   open CALLER PID CPU GROUP FLAGS FD BYTES-OF-THE-ATTRIBUTE-IN-HEX
 *   filter FD TEXT
 *   bpf FD
 *   read FD       the first time
 *   close FD
 *   refused
 *
 * With $OPENS_VENDOR ("GenuineIntel") it is that vendor's processor for a perf that copies the
 * answer of the cpuid instruction with strncpy(), as 6.1 does to decide whether it sets up
 * processor traces.
 *
 * BPF programs are refused. With $OPENS_OF_TASKS set, events of everybody are refused, as without
 * rights.
 *
 * Tested programs must call libc's syscall(), ioctl(), read(), close() and epoll_ctl().
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#define FILES 65536
#define RING  (64L << 20) /* more than any ring; never filled */

/* Of each descriptor: 0 none of ours, 1 opened, 2 read, too */
static unsigned char ours[FILES];

static void log_line(const char *line, size_t n)
{
	const char *path = getenv("OPENS_LOG");
	int fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644) : -1;

	if (fd < 0)
		return;
	if (write(fd, line, n) != (ssize_t)n)
		abort();
	syscall(SYS_close, fd);
}

static void log_fd(const char *what, int fd)
{
	char line[32];

	log_line(line, (size_t)snprintf(line, sizeof(line), "%s %d\n", what, fd));
}

static long opened(const struct perf_event_attr *attr, int pid, int cpu, int group,
		   unsigned long flags)
{
	char line[1024];
	int fd = memfd_create("event", MFD_CLOEXEC), n;
	unsigned int size = attr->size < 64 ? 64 : attr->size < 256 ? attr->size : 256;

	if (pid < 0 && getenv("OPENS_OF_TASKS")) {
		close(fd);
		log_line("refused\n", 8);
		errno = EACCES;
		return -1;
	}
	if (fd < 0 || fd >= FILES) {
		errno = EMFILE;
		return -1;
	}
	if (ftruncate(fd, RING))
		abort();
	ours[fd] = 1;
	n = snprintf(line, sizeof(line), "open %d %d %d %d %lx %d ", getpid(), pid, cpu, group,
		     flags, fd);
	for (unsigned int i = 0; i < size; i++)
		n += snprintf(line + n, sizeof(line) - (size_t)n, "%02x",
			      ((const unsigned char *)attr)[i]);
	line[n++] = '\n';
	log_line(line, (size_t)n);
	return fd;
}

static int is_ours(int fd)
{
	return fd >= 0 && fd < FILES && ours[fd];
}

long syscall(long number, ...)
{
	static long (*real)(long, ...);
	long a[6];
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open)
		return opened((const struct perf_event_attr *)a[0], (int)a[1], (int)a[2], (int)a[3],
			      (unsigned long)a[4]);
	if (number == SYS_bpf) {
		errno = EPERM;
		return -1;
	}
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*real)(int, unsigned long, ...);
	char line[4096];
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "ioctl");
	if (!is_ours(fd))
		return real(fd, request, arg);
	if (request == PERF_EVENT_IOC_ID)
		*(unsigned long long *)arg = (unsigned long long)fd;
	if (request == PERF_EVENT_IOC_SET_FILTER)
		log_line(line, (size_t)snprintf(line, sizeof(line), "filter %d %.4000s\n", fd,
						(char *)arg));
	if (request == PERF_EVENT_IOC_SET_BPF)
		log_fd("bpf", fd);
	return 0;
}

ssize_t read(int fd, void *p, size_t n)
{
	static ssize_t (*real)(int, void *, size_t);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "read");
	if (!is_ours(fd))
		return real(fd, p, n);
	if (ours[fd] == 1)
		log_fd("read", fd);
	ours[fd] = 2;
	memset(p, 0, n);
	return (ssize_t)n;
}

int close(int fd)
{
	static int (*real)(int);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "close");
	if (is_ours(fd)) {
		log_fd("close", fd);
		ours[fd] = 0;
	}
	return real(fd);
}

#ifdef __x86_64__
char *strncpy(char *to, const char *from, size_t n)
{
	unsigned int level, host[3]; /* in the order in which they spell the name */
	const char *vendor = getenv("OPENS_VENDOR");
	size_t i = 0;

	if (n == 4 && vendor && strlen(vendor) == 12 &&
	    __get_cpuid(0, &level, &host[0], &host[2], &host[1]))
		for (int part = 0; part < 3; part++)
			if (!memcmp(from, &host[part], 4)) {
				from = vendor + 4 * part;
				break;
			}
	for (; i < n && from[i]; i++)
		to[i] = from[i];
	while (i < n)
		to[i++] = 0;
	return to;
}
#endif

/* libpfm4 knows more names, where it is installed: not to be compared. */
void *dlopen(const char *name, int flags)
{
	static void *(*real)(const char *, int);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "dlopen");
	return name && strstr(name, "libpfm") ? NULL : real(name, flags);
}

/* A plain file cannot be waited for. */
int epoll_ctl(int epoll, int op, int fd, struct epoll_event *event)
{
	static int (*real)(int, int, int, struct epoll_event *);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "epoll_ctl");
	return is_ours(fd) ? 0 : real(epoll, op, fd, event);
}
