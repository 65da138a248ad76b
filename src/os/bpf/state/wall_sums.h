/* SPDX-License-Identifier: MIT */
/* What bpf/wall.bpf.c sums up, and what it keeps of each task. Shared with os/bpf/wall.c. */
#ifndef OS_BPF_WALL_SUMS_H
#define OS_BPF_WALL_SUMS_H

#include <linux/types.h>

#define WALL_FRAMES   127 /* of a stack: perf_event_max_stack */
#define WALL_NO_STACK (-1)
#define WALL_ROWS     65536
#define WALL_STACKS   32768

/* How a task came to be where it is. */
enum wall_sum_state {
	WALL_SUM_NONE,
	WALL_SUM_ON_CPU,
	WALL_SUM_PREEMPTED,
	WALL_SUM_THROTTLED, /* its control group has used up its time */
	WALL_SUM_NEW,
	WALL_SUM_BLOCKED,
	WALL_SUM_STOPPED,
	WALL_SUM_UNSEEN, /* since it is followed, nothing was seen of it */
	WALL_SUM_ENDED,
	WALL_SUM_EXECS, /* it is not measured before its exec */
};

#define WALL_SUM_INTERRUPT 0xffffffffu /* a waker: no task */

/* Time of one task with the same stacks. */
struct wall_sum_key {
	__u32 pid, tid;
	__s32 user_stack, kernel_stack; /* WALL_NO_STACK: none */
	__u32 state;			/* enum wall_sum_state */
	__u32 waker; /* tid of the task that ended the wait; WALL_SUM_INTERRUPT; 0: not known */
	__u32 waker_pid;
	__u32 woken; /* 1: the wake-up was seen */
};

struct wall_sum {
	__u64 ns;	/* in the state */
	__u64 ready_ns; /* then, until it ran */
	__u64 times;
	__u64 last; /* ns of CLOCK_MONOTONIC: when the latest of these times ended */
};

/* A place at which a task left the CPU, with the stacks there, and times since it did so that are
 * in no row yet. */
struct wall_place {
	__u64 hash; /* of its registers and state; 0: none, or a kernel thread */
	__u32 uses; /* since its stacks were taken */
	__u32 state;
	__s32 user_stack, kernel_stack;
	__u32 waker, waker_pid, woken, unused;
	struct wall_sum sum;
};

#define WALL_PLACES 4

struct wall_task {
	__u32 state;
	__u32 pid, tid;
	__u32 waker, waker_pid, woken;
	__u32 place;		    /* where it left the CPU; WALL_PLACES: not known */
	__s32 ran_user, ran_kernel; /* the stacks of its last clock sample */
	__u32 unused;
	__u64 since;	  /* ns of CLOCK_MONOTONIC: in this state, or ready after it */
	__u64 blocked_ns; /* before it was woken up */
	__u64 cpu_ns;	  /* on CPUs since the last clock sample */
	struct wall_place places[WALL_PLACES];
};

#endif
