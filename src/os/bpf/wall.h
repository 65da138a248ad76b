/* SPDX-License-Identifier: MIT */
/*
 * BPF programs that sum up all of the time of tasks: by state, stacks and waker (bpf/wall.bpf.c).
 * Nothing is written to a ring; the sums are read at the end.
 */
#ifndef OS_BPF_WALL_H
#define OS_BPF_WALL_H

#include "base/err.h"
#include "os/bpf/state/wall_sums.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_wall;

/* by_task: only tasks that are followed, and what they start; else all. Sums begin here. NULL with
 * *err. Needs Linux 5.18. */
struct bpf_wall *bpf_wall_new(bool by_task, struct err *err);
void bpf_wall_free(struct bpf_wall *w);
/* A program for perf_set_bpf(): each sample of a clock counts time, and none is written. Owned by
 * w. */
int bpf_wall_clock(const struct bpf_wall *w);
/* Follows a thread: from now on, or from its exec on. 0 or a negative errno; -EINVAL: this kernel
 * (before 6.9) cannot tell threads beside a process's first. */
int bpf_wall_follow(struct bpf_wall *w, int tid, bool on_exec);
/* Ends all times, which are then complete. 0 or a negative errno. */
int bpf_wall_end(struct bpf_wall *w);

/* The next row, in no order. *begun is false before the first. False: there are no more. */
bool bpf_wall_next(const struct bpf_wall *w, bool *begun, struct wall_sum_key *key,
		   struct wall_sum *sum);
/* The addresses of a stack, the innermost first; room for WALL_FRAMES. Returns how many. */
size_t bpf_wall_stack(const struct bpf_wall *w, bool user, int32_t stack, uint64_t *frames);
/* What had no room. */
struct bpf_wall_lost {
	uint64_t sums, ns; /* times that are in no sum, and their length */
	uint64_t stacks;   /* times that are in sums without a stack */
};
void bpf_wall_lost(const struct bpf_wall *w, struct bpf_wall_lost *out);

#endif
