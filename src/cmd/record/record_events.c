// SPDX-License-Identifier: MIT
/* The events to record, and what cannot be. */
#include "cmd/record/record_opts.h"

#include "cmd/options/opts_events.h"
#include "os/machine/host.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What a recorder does for the whole machine's system calls is all its own: its reads and writes
 * would be most of what a quiet machine records. Other events need to see everybody. */
static void leave_out_own_calls(struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++) {
		struct event *ev = events->events.at[i];
		char text[64];

		if (!ev->system ||
		    (strcmp(ev->system, "raw_syscalls") && strcmp(ev->system, "syscalls")))
			continue;
		snprintf(text, sizeof(text), "common_pid != %d", (int)getpid());
		event_add_filter(events, ev, text);
		ev->excludes_self = true;
	}
}

/* What no kernel counts cannot be sampled either. */
static int refuse_readouts(const struct event_set *events, struct err *err)
{
	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *ev = events->events.at[i];

		if (ev->readout.kind == READOUT_NONE)
			continue;
		err_set(err, ERR_USAGE, "'%s' is a value to read and cannot be sampled", ev->name);
		return err_hint(err, "perf stat -e %s shows it", ev->name);
	}
	return 0;
}

int record_events(const struct record_opts *opts, const struct event_selects *selects,
		  bool system_wide, const struct config *config, struct event_set *events,
		  struct err *err)
{
	struct event_source source;
	int got = event_source_open(&source, opts->events_dir, config, err);

	if (!got && opts->wall && selects == &opts->selects)
		got = record_wall_events(&source.host, opts->quiet, events, err);
	else if (!got)
		got = events_select(selects, &source.host, events, err);
	if (!got && !events->events.n) {
		got = event_parse(events, "cycles:P", &source.host, err);
		for (size_t i = 0; i < events->events.n && !host_is_amd(); i++)
			events->events.at[i]->attr.flags |= ATTR_EXCLUDE_GUEST;
	}
	if (!got)
		got = events_set_cgroups(selects, events, err);
	if (!got)
		got = refuse_readouts(events, err);
	if (system_wide)
		leave_out_own_calls(events);
	event_source_release(&source);
	return got;
}
