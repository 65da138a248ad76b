/* SPDX-License-Identifier: MIT */
/* Durations of calls as counted by the programs themselves (preload/calls.c). */
#ifndef ANALYSIS_DURATIONS_CALL_COUNTS_H
#define ANALYSIS_DURATIONS_CALL_COUNTS_H

#include "analysis/durations/durations.h"
#include "os/preload/call_table.h"

/* Fills d, which must be all zero, with the functions whose names one of the globs matches (NULL:
 * all). The set of symbols must outlive it. */
void call_counts_read(struct durations *d, const struct call_table *table, const char *globs,
		      struct dso_set *dsos);

#endif
