/* SPDX-License-Identifier: MIT */
/* Shared by the files that open events; explains why something could not be opened. Private to
 * capture/. */
#ifndef CAPTURE_OPEN_H
#define CAPTURE_OPEN_H

#include "capture/rings/capture.h"

size_t capture_side_size(const struct capture *c);
/* True for an event that is sampled by a clock or a period, not at each hit. */
bool capture_by_rate(const struct attr *a);
/* True for an event that is opened system-wide in place of inherited events of tasks. */
bool capture_shares_clock(const struct capture *c, const struct event *ev);

/* perf_open(), with a line about the call to t->lines. */
int trace_open(struct open_trace *t, const struct event *ev, const struct attr *attr, int pid,
	       int cpu, int group, unsigned int flags);

/* Each fills *err with one sentence and the smallest change that helps; returns -1. */
int rights_explain(struct err *err, int sys, const struct event *ev, int tid, int cpu);
int rights_ring(struct err *err, int sys, size_t size);

#endif
