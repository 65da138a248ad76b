/* SPDX-License-Identifier: MIT */
/*
 * Counts what a command and all that it starts do, as events that belong to the command and are
 * inherited would, but without their cost at each context switch: the time on CPUs, context switches and
 * migrations by itself, anything else by counters of the CPUs that are read where tasks of the tree
 * begin and cease to run.
 */
#ifndef OS_BPF_TREE_H
#define OS_BPF_TREE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_tree_options {
	size_t counters; /* for each CPU; at most BPF_TREE_COUNTERS */
	bool inherit;	 /* children and threads belong to it */
};
#define BPF_TREE_COUNTERS 64

struct bpf_tree;

/* Is what it counts what this kernel's own events count? */
bool bpf_tree_exact(void);
/* Loads and attaches it; it counts nothing yet. NULL with *err. */
struct bpf_tree *bpf_tree_new(const struct bpf_tree_options *opts, struct err *err);
void bpf_tree_free(struct bpf_tree *t);
/* An event's descriptor, opened for all tasks on the CPU; it stays the caller's, and open. 0 or a
 * negative errno. */
int bpf_tree_counter(struct bpf_tree *t, int cpu, size_t counter, int fd);
/* The root of the tree: a task that is about to do an exec, with which it begins to count. 0 or a
 * negative errno. */
int bpf_tree_root(struct bpf_tree *t, int tid);
/* Counting goes on or stands still, at once and everywhere. 0 or a negative errno. */
int bpf_tree_switch(struct bpf_tree *t, bool on);

struct bpf_tree_sums {
	uint64_t ns, switches, migrations;
};
void bpf_tree_read(const struct bpf_tree *t, struct bpf_tree_sums *out);
/* Adds all CPUs' value, enabled and running times of a counter. */
void bpf_tree_read_counter(const struct bpf_tree *t, size_t counter, uint64_t out[3]);

#endif
