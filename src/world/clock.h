/* SPDX-License-Identifier: MIT */
/* The clock of a recording compared with the clock of the machine's files. */
#ifndef WORLD_CLOCK_H
#define WORLD_CLOCK_H

#include "data/recording.h"
#include "os/machine/host.h"
#include "symbol/dso.h"

/*
 * The offset from the times of samples to ns since the Unix epoch, for a recording that was made on
 * this machine. A recording of another clock (-k) holds its offset. Otherwise the clock of samples
 * counts from boot as CLOCK_MONOTONIC does, so the offset is that of CLOCK_MONOTONIC now: if the
 * machine was never suspended, and the recording is of this boot. No sample is later than the last
 * write to the file, which bounds the offset. .known is false where the offset cannot be told.
 */
struct recorded_clock recorded_clock(const struct recording *rec, const struct host_clocks *now);

#endif
