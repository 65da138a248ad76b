// SPDX-License-Identifier: MIT
#include "cmd/options/opts_select.h"

#include "event/pfm.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int event_select_call(void *place, const struct opt *opt, const char *value, bool unset,
		      struct err *err)
{
	struct event_selects *s = place;

	(void)err;
	if (unset)
		vec_clear(s);
	else
		vec_add(s, (struct event_select){(enum select_kind)opt->value, value});
	return 0;
}

void event_add_filter(struct event_set *events, struct event *ev, const char *text)
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
		event_add_filter(events, events->events.at[i], text);
	}
	return 0;
}

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

int events_select(const struct event_selects *selects, const struct event_host *host,
		  struct event_set *events, struct err *err)
{
	size_t first = 0;
	char not_me[64];
	int got = 0;

	snprintf(not_me, sizeof(not_me), "common_pid != %d", (int)getpid());
	for (size_t i = 0; i < selects->n && !got; i++) {
		const struct event_select *s = &selects->at[i];

		switch (s->kind) {
		case SELECT_EVENTS:
			first = events->events.n;
			got = event_parse(events, s->text, host, err);
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
	return got;
}

int events_set_cgroups(const struct event_selects *selects, struct event_set *events,
		       struct err *err)
{
	for (size_t i = 0; i < selects->n; i++)
		if (selects->at[i].kind == SELECT_CGROUPS &&
		    cgroups(events, selects->at[i].text, err))
			return -1;
	return 0;
}
