/* SPDX-License-Identifier: MIT */
/* What bpf/locks.bpf.c keeps, as user space reads it. Private to os/bpf/. */
#ifndef OS_BPF_LOCKS_STATE_H
#define OS_BPF_LOCKS_STATE_H

#include <stdint.h>

#define LOCKS_FRAMES	   127 /* of a call chain at most */
#define LOCKS_FRAMES_USUAL 16
#define LOCKS_CPUS	   4096
#define LOCKS_WANTED	   256 /* addresses, or groups, or delays, that can be asked for */
#define LOCKS_NO_STACK	   UINT32_MAX

/* A call chain of a lock's holder; its name is a hash of it. Unused frames are 0. */
struct locks_frames {
	uint64_t at[LOCKS_FRAMES_USUAL];
};

/* Parts that are not asked for are 0 (the stack: LOCKS_NO_STACK). */
struct locks_key {
	uint64_t lock, cgroup;
	uint32_t stack;
	int32_t tid;
};

struct locks_sum {
	uint64_t count, total_ns, max_ns, min_ns;
	uint32_t flags; /* of the first wait */
	uint32_t kind;	/* LOCKS_OF_* */
};
/* Locks that are part of the task's own objects. */
enum { LOCKS_OF_NOTHING, LOCKS_OF_MMAP, LOCKS_OF_SIGNALS };

/* What was lost: a task's name (no room), a wait without a call chain, a wait whose begin found no
 * room, a wait whose sum found no room. */
enum { LOCKS_LOST_TASK, LOCKS_LOST_STACK, LOCKS_LOST_TIME, LOCKS_LOST_DATA, LOCKS_LOST_KINDS };

#endif
