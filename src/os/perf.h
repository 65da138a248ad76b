/* SPDX-License-Identifier: MIT */
/*
 * The kernel's perf events: the system call, its ioctls and reads. Nothing here knows what an event
 * means; attributes come as the bytes of struct perf_event_attr (event/attr.h encodes them).
 *
 * Functions return 0 (or a file descriptor) or a negative errno.
 */
#ifndef OS_PERF_H
#define OS_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_OPEN_CGROUP 1 /* pid is a descriptor of a cgroup's directory */

unsigned long perf_open_flags(unsigned int flags); /* as the kernel gets them */
int perf_open(const void *attr, int pid, int cpu, int group_fd, unsigned int flags);
int perf_enable(int fd);
int perf_disable(int fd);
int perf_set_output(int fd, int to_fd);
int perf_set_filter(int fd, const char *filter);
int perf_set_bpf(int fd, int prog_fd);
int perf_pause(int fd, bool pause); /* stops writing to the ring */
int perf_id(int fd, uint64_t *id);
/* Reads a counter into at most n words; returns the bytes read or a negative errno. */
long perf_read(int fd, uint64_t *words, size_t n);

/* Raises the soft limit of open files to the hard one; returns the limit. */
uint64_t perf_raise_files(void);

#endif
