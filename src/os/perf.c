// SPDX-License-Identifier: MIT
#include "os/perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

unsigned long perf_open_flags(unsigned int flags)
{
	return PERF_FLAG_FD_CLOEXEC | (flags & PERF_OPEN_CGROUP ? PERF_FLAG_PID_CGROUP : 0);
}

int perf_open(const void *attr, int pid, int cpu, int group_fd, unsigned int flags)
{
	long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, perf_open_flags(flags));

	return fd < 0 ? -errno : (int)fd;
}

static int control(int fd, unsigned long request, unsigned long arg)
{
	return ioctl(fd, request, arg) < 0 ? -errno : 0;
}

int perf_enable(int fd)
{
	return control(fd, PERF_EVENT_IOC_ENABLE, 0);
}

int perf_disable(int fd)
{
	return control(fd, PERF_EVENT_IOC_DISABLE, 0);
}

int perf_set_output(int fd, int to_fd)
{
	return control(fd, PERF_EVENT_IOC_SET_OUTPUT, (unsigned long)to_fd);
}

int perf_set_filter(int fd, const char *filter)
{
	return control(fd, PERF_EVENT_IOC_SET_FILTER, (unsigned long)filter);
}

int perf_set_bpf(int fd, int prog_fd)
{
	return control(fd, PERF_EVENT_IOC_SET_BPF, (unsigned long)prog_fd);
}

int perf_pause(int fd, bool pause)
{
	return control(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, pause);
}

int perf_id(int fd, uint64_t *id)
{
	return control(fd, PERF_EVENT_IOC_ID, (unsigned long)id);
}

long perf_read(int fd, uint64_t *words, size_t n)
{
	ssize_t got = read(fd, words, n * sizeof(*words));

	return got < 0 ? -errno : got;
}

uint64_t perf_raise_files(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l))
		return 1024;
	if (l.rlim_cur < l.rlim_max) {
		l.rlim_cur = l.rlim_max;
		if (setrlimit(RLIMIT_NOFILE, &l))
			getrlimit(RLIMIT_NOFILE, &l);
	}
	return l.rlim_cur;
}
