/* SPDX-License-Identifier: MIT */
/*
 * BPF programs that write a sample into perf's rings at each switch between tasks and at each
 * wake-up, as the tracepoints sched:sched_switch and sched:sched_waking do, but for tasks that are
 * not measured.
 *
 * The rings are those of events of type PERF_TYPE_SOFTWARE, config PERF_COUNT_SW_BPF_OUTPUT, each
 * on a CPU. An event that is not enabled gets nothing.
 */
#ifndef OS_BPF_SCHEDULER_H
#define OS_BPF_SCHEDULER_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct bpf_scheduler;

enum bpf_scheduler_event { BPF_SCHEDULER_SWITCH, BPF_SCHEDULER_WAKING };

/* The ids are those of the tracepoints. by_task: only tasks that are followed, and what they start.
 * NULL with *err. Needs Linux 5.18. */
struct bpf_scheduler *bpf_scheduler_new(uint16_t switch_id, uint16_t waking_id, bool by_task,
					struct err *err);
void bpf_scheduler_free(struct bpf_scheduler *s);
/* Tells the programs of the event on a CPU, which stays open until bpf_scheduler_free(). 0 or a
 * negative errno. */
int bpf_scheduler_add(struct bpf_scheduler *s, enum bpf_scheduler_event event, int cpu,
		      int event_fd);
/* Follows a thread from now on. 0 or a negative errno; -EINVAL: this kernel (before 6.9) cannot
 * tell threads beside a process's first. */
int bpf_scheduler_follow(struct bpf_scheduler *s, int tid);
/* From now on all tasks are told. */
void bpf_scheduler_follow_all(struct bpf_scheduler *s);
/* Samples that could not be written, beside those that a full ring counts as lost. */
uint64_t bpf_scheduler_missed(const struct bpf_scheduler *s);

#endif
