/* SPDX-License-Identifier: MIT */
/*
 * Counts for many control groups with one set of counters on each CPU. Ordinary events would be one
 * for each group, CPU and event, and the kernel would switch them whenever the group changes.
 */
#ifndef OS_BPF_CGROUPS_H
#define OS_BPF_CGROUPS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BPF_CGROUPS_COUNTERS 64

struct bpf_cgroups_options {
	size_t counters; /* at most BPF_CGROUPS_COUNTERS */
	const uint64_t
		*ids; /* the kernel's ids of the groups; tasks of groups below them count, too */
	size_t groups;
};

struct bpf_cgroups;

/* Loads it; it counts nothing yet. NULL with *err. */
struct bpf_cgroups *bpf_cgroups_new(const struct bpf_cgroups_options *opts, struct err *err);
void bpf_cgroups_free(struct bpf_cgroups *g);
/* Gives a counter its events (bpf_events_new); the descriptor stays the caller's. 0 or a negative
 * errno. */
int bpf_cgroups_counter(struct bpf_cgroups *g, size_t counter, int events);
/* Runs the program at each hit of an event that counts the CPU's switches between groups. 0 or a
 * negative errno. */
int bpf_cgroups_attach(struct bpf_cgroups *g, int event_fd);
/* Starts or stops counting on all CPUs at once. 0 or a negative errno. */
int bpf_cgroups_switch(struct bpf_cgroups *g, bool on);
/* Brings the sums up to this moment. 0 or a negative errno. */
int bpf_cgroups_look(struct bpf_cgroups *g);
/* Adds a counter's value, enabled and running times as of the last bpf_cgroups_look(), for a group
 * (by its index in ids) and CPU. */
void bpf_cgroups_count(const struct bpf_cgroups *g, size_t group, int cpu, size_t counter,
		       uint64_t out[3]);

#endif
