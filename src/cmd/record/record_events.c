// SPDX-License-Identifier: MIT
/* -e and what belongs to it: filters, cgroups. */
#include "cmd/record/record_opts.h"

#include "cmd/options/opts_events.h"
#include "event/pfm.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void add_filter(struct event_set *events, struct event *ev, const char *text)
{
	ev->filter = ev->filter ? arena_printf(&events->arena, "(%s) && (%s)", ev->filter, text)
				: arena_strdup(&events->arena, text);
}

/* A filter belongs to the events of the -e before it. */
static int filter(struct event_set *events, size_t first, const char *text, const char *option,
		  struct err *err)
{
	if (first == events->events.n) {
		err_set(err, ERR_USAGE, "%s stands for no event", option);
		return err_hint(err, "it belongs behind the -e that it is about");
	}
	for (size_t i = first; i < events->events.n; i++) {
		if (events->events.at[i]->attr.type != TYPE_TRACEPOINT)
			return err_set(err, ERR_USAGE, "%s needs a tracepoint, not '%s'", option,
				       events->events.at[i]->name);
		add_filter(events, events->events.at[i], text);
	}
	return 0;
}

/* "a,,b": the groups of the events in turn; one alone is for all. */
static int cgroups(struct event_set *events, const char *text, struct err *err)
{
	size_t n = 0;
	const char *p = text;

	if (!strchr(text, ',')) {
		for (size_t i = 0; i < events->events.n; i++)
			events->events.at[i]->cgroup = arena_strdup(&events->arena, text);
		return 0;
	}
	for (;; n++) {
		size_t len = strcspn(p, ",");

		if (n == events->events.n)
			return err_set(err, ERR_USAGE, "-G has more groups than there are events");
		if (len)
			events->events.at[n]->cgroup = arena_strndup(&events->arena, p, len);
		if (!p[len])
			return 0;
		p += len + 1;
	}
}

/* What a recorder does for the whole machine's system calls is all its own: its reads and writes
 * would be most of what a quiet machine records. Other events need to see everybody. */
static void leave_out_own_calls(struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++) {
		struct event *ev = events->events.at[i];
		char text[64];

		if (!ev->system || (strcmp(ev->system, "raw_syscalls") && strcmp(ev->system, "syscalls")))
			continue;
		snprintf(text, sizeof(text), "common_pid != %d", (int)getpid());
		add_filter(events, ev, text);
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

int record_events(const struct record_opts *opts, const struct record_selects *selects,
		  bool system_wide, const struct config *config, struct event_set *events,
		  struct err *err)
{
	struct event_source source;
	size_t first = 0;
	char not_me[64];
	int got = event_source_open(&source, opts->events_dir, config, err);

	snprintf(not_me, sizeof(not_me), "common_pid != %d", (int)getpid());
	for (size_t i = 0; i < selects->n && !got; i++) {
		const struct record_select *s = &selects->at[i];

		switch (s->kind) {
		case SELECT_EVENTS:
			first = events->events.n;
			got = event_parse(events, s->text, &source.host, err);
			break;
		case SELECT_PFM:
			first = events->events.n;
			got = event_parse_pfm(events, s->text, err);
			break;
		case SELECT_FILTER:
			got = filter(events, first, s->text, "--filter", err);
			break;
		case SELECT_NOT_PERF:
			got = filter(events, first, not_me, "--exclude-perf", err);
			break;
		case SELECT_CGROUPS:
			break;
		}
	}
	if (!got && !events->events.n) {
		got = event_parse(events, "cycles:P", &source.host, err);
		for (size_t i = 0; i < events->events.n; i++)
			events->events.at[i]->attr.flags |= ATTR_EXCLUDE_GUEST;
	}
	for (size_t i = 0; i < selects->n && !got; i++)
		if (selects->at[i].kind == SELECT_CGROUPS)
			got = cgroups(events, selects->at[i].text, err);
	if (!got)
		got = refuse_readouts(events, err);
	if (system_wide)
		leave_out_own_calls(events);
	event_source_release(&source);
	return got;
}
