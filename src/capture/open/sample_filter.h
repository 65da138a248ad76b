/* SPDX-License-Identifier: MIT */
/* Filters on fields of samples, as BPF programs. Private to capture/. */
#ifndef CAPTURE_SAMPLE_FILTER_H
#define CAPTURE_SAMPLE_FILTER_H

#include "event/event.h"

struct err;

/* A program for perf_set_bpf() that keeps the samples that match the event's filter: a descriptor,
 * or -1 with *err. */
int sample_filter_program(const struct event *ev, struct err *err);

#endif
