// SPDX-License-Identifier: MIT
/* Selects the events to record, and refuses events that cannot be sampled. */
#include "cmd/record/record_opts.h"

#include "cmd/options/opts_events.h"
#include "os/machine/host.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Excludes the recorder's own system calls: on a quiet machine, its reads and writes would be most
 * of the samples. Other events include the recorder. */
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

/* Refuses values that are only read (sensors, the tool's own): no event of the kernel counts
 * them. */
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

static int select_events(const struct record_opts *opts, const struct event_selects *selects,
			 const struct event_host *host, struct event_set *events, struct err *err)
{
	const bool trigger = selects != &opts->selects;

	if (opts->wall && !trigger)
		return record_wall_events(opts, host, events, err);
	/* The first event owns the rings: it must stay open. */
	if (opts->probe_budget && !trigger && event_parse(events, "dummy", host, err))
		return -1;
	return events_select(selects, host, events, err);
}

/* Precise samples of cycles are of the host alone. */
static int default_event(const struct event_source *source, const struct guest_options *guests,
			 struct event_set *events, struct err *err)
{
	int got = event_parse(events, guests ? "cycles" : "cycles:P", &source->host, err);

	for (size_t i = 0; i < events->events.n && !host_is_amd(); i++)
		events->events.at[i]->attr.flags |= ATTR_EXCLUDE_GUEST;
	return got;
}

int record_events(const struct record_opts *opts, const struct event_selects *selects,
		  bool system_wide, const struct env *env, struct event_set *events,
		  struct err *err)
{
	struct event_source source;
	int got = event_source_open(&source, opts->events_dir, env->config, err);

	if (!got)
		got = select_events(opts, selects, &source.host, events, err);
	if (!got && !events->events.n)
		got = default_event(&source, env->guests, events, err);
	if (!got && env->guests)
		event_set_guests(events, env->guests->without_host);
	if (!got)
		got = events_set_cgroups(selects, events, err);
	if (!got)
		got = refuse_readouts(events, err);
	if (system_wide)
		leave_out_own_calls(events);
	event_source_release(&source);
	return got;
}
