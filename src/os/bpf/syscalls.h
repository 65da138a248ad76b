/* SPDX-License-Identifier: MIT */
/*
 * Counts system calls by their numbers: of all tasks, or of some tasks and their children. One pair
 * of hooks counts all calls, where the kernel's own events are two tracepoints (enter and exit) for
 * each call.
 *
 * Calls of a 32-bit program on a 64-bit kernel are not counted, as with those tracepoints.
 */
#ifndef OS_BPF_SYSCALLS_H
#define OS_BPF_SYSCALLS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_syscalls_options {
	size_t counters; /* how many calls (enter and exit apart) are told apart */
	size_t slots;	 /* sets of values, for tasks; 0: all tasks, one set */
	bool by_cpu;	 /* each CPU's values apart */
	bool inherit;	 /* children of a followed task are followed, with the same slot */
};

struct bpf_syscalls;

/* Loads and attaches it; it counts nothing yet. NULL with *err. */
struct bpf_syscalls *bpf_syscalls_new(const struct bpf_syscalls_options *opts, struct err *err);
void bpf_syscalls_free(struct bpf_syscalls *s);
/* Counts the beginnings (or, at_end, the ends) of the system call number in counter; a negative
 * counter: does not count them. False: there is no such number. */
bool bpf_syscalls_assign(struct bpf_syscalls *s, bool at_end, unsigned int number, int counter);
/* Follows a task from now on, or from its next exec. 0 or a negative errno. */
int bpf_syscalls_follow(struct bpf_syscalls *s, int tid, uint32_t slot, bool on_exec);
void bpf_syscalls_switch(struct bpf_syscalls *s, bool on);
/* A counter's value; cpu < 0: the sum over all CPUs. */
uint64_t bpf_syscalls_value(const struct bpf_syscalls *s, size_t slot, int cpu, size_t counter);

#endif
