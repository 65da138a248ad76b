/* SPDX-License-Identifier: MIT */
/*
 * How long a kernel function takes, or how long it takes from one tracepoint to another one in the
 * same task: a histogram that BPF programs make in the kernel.
 */
#ifndef OS_BPF_LATENCY_H
#define OS_BPF_LATENCY_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_latency_options {
	const char *function;	    /* NULL: from first to second */
	const char *first, *second; /* names of tracepoints, without their systems */
	/* The histogram's ranges, as in struct duration_buckets; n_buckets is at most 1024. */
	bool nsec;
	uint64_t width, least, most;
	size_t n_buckets;
	bool by_task;	 /* only tasks that were named by bpf_latency_follow() */
	const int *cpus; /* begun on these only, n_cpus; NULL: on all */
	size_t n_cpus;
};

struct bpf_latency;

/* Loads and attaches it; it counts nothing yet. NULL with *err. */
struct bpf_latency *bpf_latency_new(const struct bpf_latency_options *opts, struct err *err);
void bpf_latency_free(struct bpf_latency *l);
/* Counts a task from now on, or from its next exec. 0 or a negative errno. */
int bpf_latency_follow(struct bpf_latency *l, int tid, bool on_exec);
void bpf_latency_switch(struct bpf_latency *l, bool on);
uint64_t bpf_latency_count(const struct bpf_latency *l, size_t bucket);
/* Calls that were not counted: too many of a task at a time, or no memory. */
uint64_t bpf_latency_lost(const struct bpf_latency *l);

#endif
