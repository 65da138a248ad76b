/* SPDX-License-Identifier: MIT */
/* What bpf/tasks.bpf.c keeps, as user space reads it. Private to os/bpf/. */
#ifndef OS_BPF_TASKS_STATE_H
#define OS_BPF_TASKS_STATE_H

#include <stdint.h>

enum { TASK_WAITS = 1 /* for its exec */, TASK_JOINS, TASK_COUNTS, TASK_ENDED };

/* One for each task that is measured. */
struct tasks_member {
	uint64_t switches; /* how often it had been switched away when a migration was last counted,
			      + 1 */
	uint32_t state, slot;
	uint32_t pid; /* whose bit is set */
	uint32_t unused;
	uint64_t minor, major; /* its page faults when it was last switched out */
};

/* One for each CPU, in cache lines of its own. */
struct tasks_cpu {
	uint32_t runs; /* 1 + the slot of the counted task that runs here; 0: none does */
	uint32_t unused;
	uint64_t since;	   /* ns of CLOCK_MONOTONIC: when that began */
	uint64_t switches; /* since then */
	uint64_t space[13];
};

/* One for each row: a slot, or a CPU of a slot. */
struct tasks_sum {
	uint64_t ns, switches, migrations, unused;
};

/* value, enabled, running */
struct tasks_reading {
	uint64_t at[3];
};

#endif
