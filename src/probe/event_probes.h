/* SPDX-License-Identifier: MIT */
/*
 * Probes that exist as long as a command: the events "uprobe:..." and "kprobe:..." of a set.
 *
 * A probe of one place without arguments is an event of the kernel's PMU uprobe or kprobe, which
 * nobody else sees. Any other is made in tracefs, in the group perf_PID_COMMAND, and removed when
 * the set is released; the next command removes those of a perf that was killed.
 */
#ifndef PROBE_EVENT_PROBES_H
#define PROBE_EVENT_PROBES_H

#include "event/parse.h"
#include "symbol/dso.h"

/* Makes the probes of the set's events, from the event `first` on. 0, or -1 with *err; what was
 * made before an error goes with the set in both cases. The host and the options are used during
 * the call only. */
int event_probes_make(struct event_set *set, size_t first, const struct event_host *host,
		      const struct symbol_options *options, struct err *err);

#endif
