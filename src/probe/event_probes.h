/* SPDX-License-Identifier: MIT */
/*
 * Probes that exist as long as a command: the events "uprobe:..." and "kprobe:..." of a set.
 *
 * They are made in tracefs, in the group perf_PID_COMMAND, and removed when the set is released;
 * the next command removes those of a perf that was killed. Where tracefs may not be written, a
 * probe of one place without arguments is an event of the kernel's PMU uprobe or kprobe, which
 * children and new threads do not inherit.
 */
#ifndef PROBE_EVENT_PROBES_H
#define PROBE_EVENT_PROBES_H

#include "event/parse.h"
#include "symbol/dso.h"

/* Makes the probes of the set's events, from the event `first` on. Lines for the user go to notes.
 * 0, or -1 with *err; what was made before an error goes with the set in both cases. The host and
 * the options are used during the call only. */
int event_probes_make(struct event_set *set, size_t first, const struct event_host *host,
		      const struct symbol_options *options, struct buf *notes, struct err *err);

#endif
