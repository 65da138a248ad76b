/* SPDX-License-Identifier: MIT */
/* What those share who open events, and why something could not be opened. Private to capture/. */
#ifndef CAPTURE_OPEN_H
#define CAPTURE_OPEN_H

#include "capture/rings/capture.h"

size_t capture_side_size(const struct capture *c);
/* Is it sampled by a clock or a period, not at each hit? */
bool capture_by_rate(const struct attr *a);
/* Is it opened system-wide, to stand in for what tasks would inherit? */
bool capture_shares_clock(const struct capture *c, const struct event *ev);

/* perf_open, and the call told to t->lines. */
int trace_open(struct open_trace *t, const struct event *ev, const struct attr *attr, int pid,
	       int cpu, int group, unsigned int flags);

/* Each fills *err with one sentence and the smallest change that helps; returns -1. */
int rights_explain(struct err *err, int sys, const struct event *ev, int tid, int cpu);
int rights_ring(struct err *err, int sys, size_t size);

#endif
