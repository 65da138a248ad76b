/* SPDX-License-Identifier: MIT */
/*
 * What kernel functions at the inner end of a scheduler sample's call chain say: that a BPF program
 * took the sample (record --wall=bpf), whose own frames are no part of the stack, or that a timer
 * or another interrupt woke the task. Each address is looked up once.
 */
#ifndef ANALYSIS_WALL_FRAMES_H
#define ANALYSIS_WALL_FRAMES_H

#include "base/hash.h"
#include "data/record/record.h"
#include "profile/samples/wall_state.h"
#include "world/world.h"

struct wall_frames {
	struct idmap kinds; /* kernel address -> 1 + enum wall_frame_kind */
};

void wall_frames_release(struct wall_frames *f);
/* How many of the chain's words after its first, the marker of the kernel's part, are frames of BPF
 * programs and of what calls them. */
size_t wall_frames_of_programs(struct wall_frames *f, const struct world *world, uint32_t epoch,
			       const struct sample *sample);
/* WALL_TIMER or WALL_INTERRUPT when the chain runs through a timer or through the handler of
 * another interrupt, before any return to user space that an interrupt merely caused; else
 * WALL_NO_WAKER. epoch: any of the present (world.h). */
uint32_t wall_frames_waker(struct wall_frames *f, const struct world *world, uint32_t epoch,
			   const struct sample *sample);

#endif
