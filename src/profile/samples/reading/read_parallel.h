/* SPDX-License-Identifier: MIT */
/* Reading on all CPUs: see read_parallel.c. */
#ifndef PROFILE_READ_PARALLEL_H
#define PROFILE_READ_PARALLEL_H

#include "base/pool.h"
#include "profile/samples/read.h"

/* True for a file whose records all have times and whose samples mean the same in any order. */
bool read_parallel_can(const struct recording *rec);
struct parallel_reading;
/* A copy of the samples that all threads have read, between two of their batches: see
 * samples_so_far(). */
struct samples *parallel_so_far(const struct parallel_reading *reading);
int read_parallel(struct samples *samples, struct recording *rec, struct samples_reading *how,
		  struct err *err);

#endif
