/* SPDX-License-Identifier: MIT */
/* The clock of a recording and that of the machine's files. */
#ifndef WORLD_CLOCK_H
#define WORLD_CLOCK_H

#include "data/recording.h"
#include "os/machine/host.h"
#include "symbol/dso.h"

/*
 * How times of samples become ns since the epoch, for a recording that was made on this machine.
 * The recorder tells of another clock than the usual one (-k). The usual one counts from boot as
 * CLOCK_MONOTONIC does: as long as the machine was never suspended, and the recording is of this
 * boot. A recording ends before its file is written last, which bounds how late its samples can
 * have been. Where all that isn't so, nothing is known.
 */
struct recorded_clock recorded_clock(const struct recording *rec, const struct host_clocks *now);

#endif
