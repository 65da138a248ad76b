/* SPDX-License-Identifier: MIT */
/* Waits for the kernel's locks, summed up in the kernel. */
#ifndef OS_BPF_LOCKS_H
#define OS_BPF_LOCKS_H

#include "base/err.h"
#include "os/bpf/state/locks_state.h"

#include <stdbool.h>
#include <stddef.h>

struct bpf_locks_options {
	bool by_task;	 /* followed tasks and their children only; else all */
	const int *cpus; /* only on these, n_cpus; NULL: all */
	size_t n_cpus;
	uint64_t types; /* a bit for each value of the flags (1 << flags); 0: all */
	const uint64_t *locks, *cgroups; /* only these; at most LOCKS_WANTED of each */
	size_t n_locks, n_cgroups;	 /* 0: all */
	bool stack, tid, lock, cgroup;	 /* the parts of a sum's key */
	bool owner; /* tid and stack are those of the task that holds the lock; tid -1: not known */
	const struct bpf_lock_delay {
		uint64_t address, ns;
	} * delays; /* how long those who waited hold a lock longer; at most LOCKS_WANTED */
	size_t n_delays;
	uint64_t delay_mmap_ns, delay_signals_ns; /* of tasks' own locks; 0: none */
	uint32_t rows, frames; /* at most; frames up to LOCKS_FRAMES */
};

struct bpf_locks;

/* Loads and attaches it; it counts nothing yet. NULL with *err. */
struct bpf_locks *bpf_locks_new(const struct bpf_locks_options *opts, struct err *err);
void bpf_locks_free(struct bpf_locks *l);
/* Follows a task from now on, or from its next exec. 0 or a negative errno. */
int bpf_locks_follow(struct bpf_locks *l, int tid, bool on_exec);
void bpf_locks_switch(struct bpf_locks *l, bool on);
/* The next sum. *key holds the key of the sum before; *begun is false before the first. False:
 * there are no more. */
bool bpf_locks_next(const struct bpf_locks *l, bool *begun, struct locks_key *key,
		    struct locks_sum *sum);
/* Copies the addresses of a call chain, innermost first, to frames, which has room for
 * LOCKS_FRAMES. Returns their number. */
size_t bpf_locks_stack(const struct bpf_locks *l, uint32_t stack, uint64_t *frames);
/* The name of a task that has sums; false: not known. */
bool bpf_locks_name(const struct bpf_locks *l, int tid, char name[16]);
uint64_t bpf_locks_lost(const struct bpf_locks *l, int kind);

#endif
