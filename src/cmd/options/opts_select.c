// SPDX-License-Identifier: MIT
#include "cmd/options/opts_select.h"

#include "capture/open/filter.h"
#include "event/pfm.h"
#include "os/tracing/tracefs.h"
#include "probe/event_probes.h"

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

/* Checks a filter against the tracepoint's format. Passes when the format cannot
 * be read. */
static int check_fields(const struct event *ev, const char *root, const char *text, struct err *err)
{
	struct tp_formats formats = {0};
	struct tp_format *format = NULL;
	struct buf b = {0};
	int got = 0;

	if (ev->system && root && !tracefs_format(root, ev->system, ev->tracepoint, &b, NULL))
		format = tp_formats_add(&formats, ev->system, buf_text(&b), b.n, NULL);
	if (format)
		got = filter_check_fields(text, ev->name, format, err);
	tp_formats_release(&formats);
	buf_release(&b);
	return got;
}

static int add_addresses(struct event_set *events, struct event *ev, const char *text,
			 struct err *err)
{
	struct address_filters f = {0};
	struct buf b = {0};
	int got = filter_parse_addresses(text, &f, err);

	if (!got)
		got = filter_resolve_addresses(&f, NULL, &b, err);
	if (!got && b.n)
		ev->filter = ev->filter ? arena_printf(&events->arena, "%s,%s", ev->filter,
						       buf_text(&b))
					: arena_strdup(&events->arena, buf_text(&b));
	address_filters_release(&f);
	buf_release(&b);
	return got;
}

static int add_samples(struct event_set *events, struct event *ev, const char *text,
		       struct err *err)
{
	const struct sample_filter *old = ev->sample_filter;
	struct sample_filter f = {0}, *kept;
	int got;

	for (size_t i = 0; old && i < old->n; i++)
		vec_add(&f, old->at[i]);
	got = filter_parse_samples(text, &f, err);
	if (!got) {
		kept = arena_alloc(&events->arena, sizeof(*kept));
		kept->at = arena_copy(&events->arena, f.at, f.n * sizeof(*f.at));
		kept->n = f.n;
		ev->sample_filter = kept;
	}
	sample_filter_release(&f);
	return got;
}

static int filter_one(struct event_set *events, struct event *ev, const struct event_host *host,
		      const char *text, struct err *err)
{
	switch (filter_kind_of(ev, host->pmu_root)) {
	case FILTER_FIELDS:
		if (check_fields(ev, host->tracefs_root, text, err))
			return -1;
		event_add_filter(events, ev, text);
		return 0;
	case FILTER_ADDRESSES:
		return add_addresses(events, ev, text, err);
	case FILTER_SAMPLES:
	default:
		return add_samples(events, ev, text, err);
	}
}

/* Sets a filter on the events of the -e before it: events from index first on. */
static int filter(struct event_set *events, size_t first, const struct event_host *host,
		  const char *text, bool exclude_perf, struct err *err)
{
	const char *option = exclude_perf ? "--exclude-perf" : "--filter";

	if (first == events->events.n) {
		err_set(err, ERR_USAGE, "%s stands for no event", option);
		return err_hint(err, "it belongs behind the -e that it is about");
	}
	for (size_t i = first; i < events->events.n; i++) {
		struct event *ev = events->events.at[i];

		if (exclude_perf && ev->attr.type != TYPE_TRACEPOINT)
			return err_set(err, ERR_USAGE, "%s needs a tracepoint, not '%s'", option,
				       ev->name);
		if (filter_one(events, ev, host, text, err))
			return -1;
		ev->excludes_self |= exclude_perf;
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
	const struct symbol_options symbols = {.demangle = true};
	size_t first = 0;
	AUTO_BUF notes = {0};
	char not_me[64];
	int got = 0;

	snprintf(not_me, sizeof(not_me), "common_pid != %d", (int)getpid());
	for (size_t i = 0; i < selects->n && !got; i++) {
		const struct event_select *s = &selects->at[i];

		switch (s->kind) {
		case SELECT_EVENTS:
			first = events->events.n;
			got = event_parse(events, s->text, host, err);
			if (!got)
				got = event_probes_make(events, first, host, &symbols, &notes, err);
			break;
		case SELECT_PFM:
			first = events->events.n;
			got = event_parse_pfm(events, s->text, err);
			break;
		case SELECT_FILTER:
			got = filter(events, first, host, s->text, false, err);
			break;
		case SELECT_NOT_PERF:
			got = filter(events, first, host, not_me, true, err);
			break;
		case SELECT_CGROUPS:
			break;
		}
	}
	if (!got)
		fputs(buf_text(&notes), stderr);
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
