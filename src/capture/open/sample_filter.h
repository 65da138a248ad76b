/* SPDX-License-Identifier: MIT */
/* Filters over what samples hold, as programs in the kernel. Private to capture/. */
#ifndef CAPTURE_SAMPLE_FILTER_H
#define CAPTURE_SAMPLE_FILTER_H

#include "event/event.h"

struct err;

/* A program for perf_set_bpf that keeps what the event's filter asks for: a descriptor, or -1 with
 * *err. */
int sample_filter_program(const struct event *ev, struct err *err);

#endif
