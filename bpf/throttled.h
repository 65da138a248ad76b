/* SPDX-License-Identifier: MIT */
/* Whether a task that leaves its CPU may not run because its control group has used up its time. */
#ifndef BPF_THROTTLED_H
#define BPF_THROTTLED_H

#include "kernel.h"

#define PRIO_FAIR 100 /* include/linux/sched/prio.h: MAX_RT_PRIO; only tasks above have a limit */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct cfs_rq {
	int throttle_count; /* groups around the task that are out of time on this CPU */
};

struct sched_entity___throttled {
	struct cfs_rq *cfs_rq;
};

struct task_struct___throttled {
	bool throttled; /* Linux 6.18 and later: the task has stopped itself */
	int prio;
	struct sched_entity___throttled se;
};

#pragma clang attribute pop

/* Of a task that could go on running. Kernels before 6.18 take the group off the CPU before they
 * tell of the switch. */
static __always_inline bool task_is_throttled(struct task_struct *task)
{
	struct task_struct___throttled *t = (void *)task;

	if (bpf_core_field_exists(t->throttled))
		return BPF_CORE_READ(t, throttled);
	return bpf_core_field_exists(struct cfs_rq, throttle_count) &&
	       BPF_CORE_READ(t, prio) >= PRIO_FAIR &&
	       BPF_CORE_READ(t, se.cfs_rq, throttle_count) > 0;
}

#endif
