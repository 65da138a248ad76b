/* SPDX-License-Identifier: MIT */
/*
 * Processor traces of Intel: the events of the PMUs intel_pt and intel_bts, which take no samples
 * but write traces of executed code. Support is detected by the PMU, not by the processor's name.
 */
#ifndef EVENT_TRACERS_H
#define EVENT_TRACERS_H

#include "base/err.h"
#include "event/event.h"

struct tracer_options {
	bool per_thread;      /* no event is bound to a CPU */
	bool use_clockid;     /* samples use another clock than the kernel's default */
	size_t aux_size;      /* bytes of each AUX area; 0: the usual size */
	const char *pmu_root; /* see os/machine/pmu.h; NULL: this machine's */
};

/* True for an event of one of the two PMUs. */
bool tracers_is(const struct event *ev);
/* Call before a command's options are applied. Moves the only tracer to the front, as readers
 * expect, and sets its period to 1 unless another was given. -1 with *err for settings that the
 * PMUs cannot do. */
int tracers_prepare(const struct tracer_options *o, struct event_set *events, struct buf *notices,
		    struct err *err);
/* Call after a command's options are applied. */
void tracers_finish(const struct tracer_options *o, struct event_set *events);

#endif
