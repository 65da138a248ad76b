/* SPDX-License-Identifier: MIT */
/* Which events: -e, --pfm-events, --filter, --exclude-perf and -G, as the commands that measure
 * share them. */
#ifndef CMD_OPTS_SELECT_H
#define CMD_OPTS_SELECT_H

#include "base/options.h"
#include "event/parse.h"

enum select_kind { SELECT_EVENTS, SELECT_PFM, SELECT_FILTER, SELECT_NOT_PERF, SELECT_CGROUPS };

/* In the order in which they were typed: the others belong to the events before them. */
struct event_select {
	enum select_kind kind;
	const char *text;
};
struct event_selects {
	VEC(struct event_select);
};

/* .call of an option of kind .value, whose place is a struct event_selects. */
int event_select_call(void *place, const struct opt *opt, const char *value, bool unset,
		      struct err *err);

/* Appends what was selected: nothing when no event was. 0, or -1 with *err. */
int events_select(const struct event_selects *selects, const struct event_host *host,
		  struct event_set *events, struct err *err);
/* -G, when the set is complete: "a,,b" are the groups of the events in turn; one alone is
 * for all. */
int events_set_cgroups(const struct event_selects *selects, struct event_set *events,
		       struct err *err);
void event_add_filter(struct event_set *events, struct event *ev, const char *text);

#endif
