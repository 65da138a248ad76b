/* SPDX-License-Identifier: MIT */
/*
 * Processor traces of Intel: the events of the PMUs intel_pt and intel_bts, which take no samples
 * but write what the processor did. The PMU that is there decides, not the processor's name.
 */
#ifndef EVENT_TRACERS_H
#define EVENT_TRACERS_H

#include "base/err.h"
#include "event/event.h"

struct tracer_options {
	bool per_thread;      /* no event is bound to a CPU */
	bool use_clockid;     /* samples have another clock than the kernel's usual one */
	size_t aux_size;      /* bytes of each AUX area; 0: the usual size */
	const char *pmu_root; /* see os/machine/pmu.h; NULL: this machine's */
};

/* True for an event of one of the two PMUs. */
bool tracers_is(const struct event *ev);
/* Before a command's options are applied: the only tracer goes to the front, as readers expect it,
 * with a period of 1 where nothing else was asked for. -1 with *err for what those PMUs cannot do.
 */
int tracers_prepare(const struct tracer_options *o, struct event_set *events, struct buf *notices,
		    struct err *err);
/* After them. */
void tracers_finish(const struct tracer_options *o, struct event_set *events);

#endif
