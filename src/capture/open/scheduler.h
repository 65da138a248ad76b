/* SPDX-License-Identifier: MIT */
/*
 * Events of the scheduler that BPF programs write (os/bpf/scheduler.h): event.by_program. They are
 * opened as outputs of BPF programs, on CPUs; their attribute in the file, and their samples, stay
 * those of the tracepoint. Where the programs cannot be loaded the tracepoint itself is opened.
 * Private to capture/.
 */
#ifndef CAPTURE_SCHEDULER_H
#define CAPTURE_SCHEDULER_H

#include "capture/rings/capture.h"

/* The attribute with which such an event is opened. */
void scheduler_attr(struct attr *a);
/* Loads the programs, once for a capture; where that is not possible all events of the set become
 * plain tracepoints. on_cpu: the event is opened for all tasks of a CPU. 0, or -1 with *err when an
 * event must not become a tracepoint. */
int scheduler_prepare(struct capture *c, bool on_cpu, struct err *err);
/* Connects an opened counter with its program. 0 or a negative errno. */
int scheduler_add(struct capture *c, const struct counter *k);
void scheduler_release(struct capture *c);

#endif
