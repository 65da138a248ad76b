/* SPDX-License-Identifier: MIT */
/* Options that select events: -e, --pfm-events, --filter, --exclude-perf and -G, for commands that
 * measure. */
#ifndef CMD_OPTS_SELECT_H
#define CMD_OPTS_SELECT_H

#include "base/options/options.h"
#include "event/parse.h"

enum select_kind { SELECT_EVENTS, SELECT_PFM, SELECT_FILTER, SELECT_NOT_PERF, SELECT_CGROUPS };

/* One such option. They are kept in the typed order: a filter belongs to the events before it. */
struct event_select {
	enum select_kind kind;
	const char *text;
};
struct event_selects {
	VEC(struct event_select);
};

/* .call of an option of kind .value; place is a struct event_selects. */
int event_select_call(void *place, const struct opt *opt, const char *value, bool unset,
		      struct err *err);

/* Appends the selected events: none when no event was named. 0, or -1 with *err. */
int events_select(const struct event_selects *selects, const struct event_host *host,
		  struct event_set *events, struct err *err);
/* Applies -G; call it when the set is complete. "a,,b" assigns groups to the events by position; a
 * single name applies to all events. */
int events_set_cgroups(const struct event_selects *selects, struct event_set *events,
		       struct err *err);
void event_add_filter(struct event_set *events, struct event *ev, const char *text);

#endif
