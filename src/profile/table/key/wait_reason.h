/* SPDX-License-Identifier: MIT */
/* Why a thread waited, by the functions of its stack at that time. */
#ifndef PROFILE_WAIT_REASON_H
#define PROFILE_WAIT_REASON_H

#include "base/buf.h"
#include "profile/samples/samples.h"
#include "profile/samples/wall_state.h"

/*
 * A word for the reason: "futex", "poll", "pipe", "disk", ... of blocked time, "preempted",
 * "woken", "throttled" (its control group has used up its time) of runnable time, "user" or
 * "kernel" (by cpumode, MISC_*) of time on a CPU, "-" where nothing is known. chain: an id in
 * frames->chains, HASH_NONE where there is none. The innermost known function decides, except that
 * a page fault that waits for the disk is a page fault. recorded: a value of COL_REASON, which
 * goes before the stack.
 */
const char *wait_reason(const struct frames *frames, uint32_t chain, enum wall_state state,
			uint8_t cpumode, uint32_t recorded);

/* The value of COL_REASON for a wait in this function of the kernel, in this system call; "" where
 * that is not known. 0: it gives no reason. */
uint32_t wait_reason_recorded(const char *function, const char *call);
/* The values of COL_REASON for a thread that left its CPU and could go on running, where the kernel
 * told which of the two it was. */
#define WAIT_RECORDED_PREEMPTED (UINT32_MAX - 2)
#define WAIT_RECORDED_THROTTLED (UINT32_MAX - 1)
/* The word for a value of COL_REASON; NULL for 0. */
const char *wait_reason_word(uint32_t recorded);

/* The word for a state that has one of its own, else what the stack tells: by_stack, which may be
 * NULL, "-" then. A preempted thread whose by_stack is wait_reason_throttled() is "throttled". */
const char *wait_state_reason(enum wall_state state, const char *by_stack);
const char *wait_reason_throttled(void);

#define WAIT_THROTTLED_FRAMES 3
/* True when the function is number i, from the innermost one, of a stack in which a thread leaves
 * its CPU because its control group is throttled. All WAIT_THROTTLED_FRAMES are in the kernel. */
bool wait_frame_throttled(uint32_t i, const char *name);

/* Adds one more function of a stack, from the innermost one on. *found is NULL at first, and then
 * the reason so far. False: it will not change any more. */
bool wait_reason_next(const char **found, bool in_the_kernel, const char *name);

/* Appends both, state and reason, as the innermost frame of a stack: "[blocked: futex]". */
void wait_text(const struct frames *frames, uint32_t chain, enum wall_state state, uint8_t cpumode,
	       uint32_t recorded, struct buf *out);

#endif
