/* SPDX-License-Identifier: MIT */
/*
 * Counts what some tasks (and what they start) do, or all tasks, as events that belong to them
 * and are inherited would, but without the cost of those at each context switch: the time on CPUs,
 * context switches and migrations by itself, anything else by counters of the CPUs that are read
 * where such tasks begin and cease to run. Those counters may be shared with others who count the
 * same.
 */
#ifndef OS_BPF_TASKS_H
#define OS_BPF_TASKS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BPF_TASKS_COUNTERS 64

/* What a counter counts, when a task has an account of that, too. */
enum bpf_tasks_kind { TASKS_OTHER, TASKS_FAULTS, TASKS_MINOR_FAULTS, TASKS_MAJOR_FAULTS };

struct bpf_tasks_options {
	size_t counters;		  /* at most BPF_TASKS_COUNTERS */
	const enum bpf_tasks_kind *kinds; /* of each */
	size_t slots;			  /* sets of sums, for tasks; 0: all tasks, one set */
	bool by_cpu;			  /* each CPU's sums apart */
	bool inherit; /* what a followed task starts is followed, with the same slot */
};

struct bpf_tasks;

/* Does a task's count end where this kernel ends its events? */
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
/* Counting goes on or stands still, at once and everywhere. 0 or a negative errno. */
int bpf_tasks_switch(struct bpf_tasks *t, bool on);
/* Brings the sums up to this moment. 0 or a negative errno. */
int bpf_tasks_look(struct bpf_tasks *t);

struct bpf_tasks_sums {
	uint64_t ns, switches, migrations;
};
/* Adds what was at the last look; of all CPUs with cpu < 0. */
void bpf_tasks_sums(const struct bpf_tasks *t, size_t slot, int cpu, struct bpf_tasks_sums *out);
/* Likewise a counter's value, enabled and running times. */
void bpf_tasks_count(const struct bpf_tasks *t, size_t slot, int cpu, size_t counter,
		     uint64_t out[3]);

#endif
