/* SPDX-License-Identifier: MIT */
/*
 * Counts for some tasks and their children, or for all tasks, what inherited events of these tasks
 * would count, but without the cost of those at each context switch. The program itself counts the
 * time on CPUs, context switches and migrations. Anything else is counted by counters of the CPUs,
 * which the program reads when such a task is switched in and out. Other processes that count the
 * same event may share those counters.
 */
#ifndef OS_BPF_TASKS_H
#define OS_BPF_TASKS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BPF_TASKS_COUNTERS 64

/* What a counter counts, where the kernel keeps a count in the task, too. */
enum bpf_tasks_kind { TASKS_OTHER, TASKS_FAULTS, TASKS_MINOR_FAULTS, TASKS_MAJOR_FAULTS };

struct bpf_tasks_options {
	size_t counters;		  /* at most BPF_TASKS_COUNTERS */
	const enum bpf_tasks_kind *kinds; /* of each */
	size_t slots;			  /* sets of sums, for tasks; 0: all tasks, one set */
	bool by_cpu;			  /* each CPU's sums apart */
	bool inherit; /* children of a followed task are followed, with the same slot */
};

struct bpf_tasks;

/* True when a task's count ends where this kernel ends the task's events. */
bool bpf_tasks_exact(void);
/* Loads and attaches it; it counts nothing yet. NULL with *err. */
struct bpf_tasks *bpf_tasks_new(const struct bpf_tasks_options *opts, struct err *err);
void bpf_tasks_free(struct bpf_tasks *t);

/* Gives a counter its events (bpf_events_new). The descriptor stays the caller's; it need not stay
 * open. 0 or a negative errno. */
int bpf_tasks_counter(struct bpf_tasks *t, size_t counter, int events);

/* Follows a task from now on, or from its next exec. 0 or a negative errno. */
int bpf_tasks_follow(struct bpf_tasks *t, int tid, uint32_t slot, bool on_exec);
/* Do followed tasks still run? */
bool bpf_tasks_alive(const struct bpf_tasks *t);
/* Starts or stops counting on all CPUs at once. 0 or a negative errno. */
int bpf_tasks_switch(struct bpf_tasks *t, bool on);
/* Brings the sums up to this moment. 0 or a negative errno. */
int bpf_tasks_look(struct bpf_tasks *t);

struct bpf_tasks_sums {
	uint64_t ns, switches, migrations;
};
/* Adds the sums as of the last bpf_tasks_look(); of all CPUs with cpu < 0. */
void bpf_tasks_sums(const struct bpf_tasks *t, size_t slot, int cpu, struct bpf_tasks_sums *out);
/* Likewise a counter's value, enabled and running times. */
void bpf_tasks_count(const struct bpf_tasks *t, size_t slot, int cpu, size_t counter,
		     uint64_t out[3]);

#endif
