/* SPDX-License-Identifier: MIT */
/*
 * The clock of a recording that has sums of waiting (event.sums_wall): its samples are counted by
 * BPF programs (os/bpf/wall.h), and the sums become samples of the clock when the recording ends.
 * Private to capture/.
 */
#ifndef CAPTURE_WALL_SUMS_H
#define CAPTURE_WALL_SUMS_H

#include "capture/rings/capture.h"

/* Loads the programs, once for a capture, and connects an opened counter of the clock with them.
 * 0, or -1 with *err. */
int wall_sums_add(struct capture *c, const struct counter *k, struct err *err);
/* Follows a thread, from its exec on or from now on. 0 or a negative errno. */
int wall_sums_follow(struct capture *c, int tid, bool on_exec);
void wall_sums_release(struct capture *c);

#endif
