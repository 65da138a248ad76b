/* SPDX-License-Identifier: MIT */
/*
 * Raw data of a sample of the event "wall-sums", which `record --wall=sums` writes: it stands for
 * all of the times of a thread in one state, with the same stack and waker. The sample's period is
 * their length in ns, its call chain the stack, its time that of the recording's end.
 */
#ifndef DATA_WALL_SUM_H
#define DATA_WALL_SUM_H

#include <stdint.h>

#define WALL_SUMS_EVENT	 "wall-sums" /* a clock */
#define WALL_SUM_VERSION 1

enum wall_sum_kind {
	WALL_SUM_KIND_ON_CPU = 1,
	WALL_SUM_KIND_PREEMPTED, /* ready, not running: preempted */
	WALL_SUM_KIND_NEW,	 /* likewise: just made; the waker is its maker */
	WALL_SUM_KIND_WOKEN,	 /* likewise: woken up */
	WALL_SUM_KIND_BLOCKED,
	WALL_SUM_KIND_STOPPED,
	WALL_SUM_KIND_OFF_CPU,	 /* blocked, then ready: not told apart */
	WALL_SUM_KIND_THROTTLED, /* ready, not running: its control group has used up its time */
};

struct wall_sum_raw {
	uint32_t version;
	uint32_t kind;		       /* enum wall_sum_kind */
	uint32_t waker_pid, waker_tid; /* UINT32_MAX: an interrupt; 0: not known */
	uint64_t times;		       /* how many */
	uint64_t last;		       /* ns: when the latest ended, in the recording's clock */
	uint32_t padding;
};

/* Bytes on the wire: a multiple of 8, less the 4 that tell the size. */
#define WALL_SUM_RAW_SIZE 36

#endif
