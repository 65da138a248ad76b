/* SPDX-License-Identifier: MIT */
/* What bpf/latency.bpf.c shares with user space. Private to os/bpf/. */
#ifndef OS_BPF_LATENCY_STATE_H
#define OS_BPF_LATENCY_STATE_H

#include <stdbool.h>
#include <stdint.h>

#define LATENCY_CPUS	4096
#define LATENCY_BUCKETS 1024 /* a power of two */
/*
 * The function that its programs are compiled for. There is none of this name: the loader writes
 * another one over it, which may be as long.
 */
#define LATENCY_FUNCTION                                                                           \
	function_name_that_is_replaced_when_it_is_loaded_and_as_long_as_any_is_asked_here

struct latency_wants {
	bool by_task;		     /* followed tasks only, else all */
	bool by_cpu;		     /* CPUs of cpu_wanted only */
	bool nsec;		     /* the histogram's limits are ns, else us */
	uint32_t n_buckets;	     /* at most LATENCY_BUCKETS */
	uint64_t width, least, most; /* as in struct duration_buckets */
};

struct latency_state {
	bool on;
	uint8_t cpu_wanted[LATENCY_CPUS];
	uint64_t lost; /* calls that there was no room for */
	uint64_t counts[LATENCY_BUCKETS];
};

#endif
