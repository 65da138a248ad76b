/* SPDX-License-Identifier: MIT */
/*
 * Counts while BPF programs run: counters of the CPU are read where a program begins and where it
 * ends.
 */
#ifndef OS_BPF_DURING_H
#define OS_BPF_DURING_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BPF_DURING_COUNTERS 64

struct bpf_during;

/* Loads the counting programs for the programs with these ids. It counts nothing yet. NULL with
 * *err. */
struct bpf_during *bpf_during_new(const uint32_t *programs, size_t n, size_t counters,
				  struct err *err);
void bpf_during_free(struct bpf_during *d);
/* Gives a counter its events (bpf_events_new); the descriptor stays the caller's. All counters must
 * have their events before the first bpf_during_switch(). */
void bpf_during_counter(struct bpf_during *d, size_t counter, int events);
/* 0, or -1 with *err. */
int bpf_during_switch(struct bpf_during *d, bool on, struct err *err);
/* Value, enabled and running times of a counter on each CPU: fills [cpu * 3] for bpf_cpus() CPUs. 0
 * or a negative errno. */
int bpf_during_read(const struct bpf_during *d, size_t counter, uint64_t *out);

#endif
