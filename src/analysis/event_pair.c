// SPDX-License-Identifier: MIT
#include "analysis/event_pair.h"

#include <string.h>

int event_pairs_add(struct event_pairs *pairs, struct arena *arena, const char *typed,
		    struct err *err)
{
	struct event_pair p = {0};
	const char *comma = strchr(typed, ','), *second;

	if (pairs->n == EVENT_PAIRS_MAX)
		return err_set(err, ERR_USAGE, "more than %d pairs", EVENT_PAIRS_MAX);
	if (!*typed || comma == typed)
		return err_set(err, ERR_USAGE, "'%s' is no pair: BEGIN,END[,FIELD]", typed);
	if (!comma) {
		p.begin = arena_printf(arena, "%s__entry", typed);
		p.end = arena_printf(arena, "%s__return", typed);
	} else {
		p.begin = arena_strndup(arena, typed, (size_t)(comma - typed));
		second = strchr(comma + 1, ',');
		p.end = second ? arena_strndup(arena, comma + 1, (size_t)(second - comma - 1))
			       : comma + 1;
		p.field = second ? second + 1 : NULL;
	}
	if (!*p.end || (p.field && (!*p.field || strchr(p.field, ','))))
		return err_set(err, ERR_USAGE, "'%s' is no pair: BEGIN,END[,FIELD]", typed);
	vec_add(pairs, p);
	return 0;
}

const char *event_marker_name(const char *name)
{
	name += *name == '%';
	return !strncmp(name, "sdt_", 4) ? name + 4 : name;
}

/* True when an event has the name, or is a probe at the marker of this name. */
static bool pair_event_is(const struct event *ev, const char *name)
{
	const char *marker = strstr(ev->name, ":%sdt_");

	return !strcmp(ev->name, name) ||
	       !strcmp(event_marker_name(ev->name), event_marker_name(name)) ||
	       (marker && !strcmp(marker + strlen(":%sdt_"), event_marker_name(name)));
}

static const struct event *pair_event(const struct recording *rec, const char *name,
				      struct err *err)
{
	for (size_t i = 0; i < rec->m.events.events.n; i++)
		if (pair_event_is(rec->m.events.events.at[i], name))
			return rec->m.events.events.at[i];
	err_set(err, ERR_INPUT, "the recording has no event '%s'", name);
	return NULL;
}

/* Replay names a tracepoint as its format does: a probe's event has another name. */
static struct replay_tracepoint pair_row(struct arena *arena, const struct recording *rec,
					 const struct event_pair *p, const struct event *ev,
					 replay_sample_fn take)
{
	const struct tp_format *format =
		ev->format ? ev->format
			   : tp_formats_find(&rec->m.formats, (uint32_t)ev->attr.config);

	return (struct replay_tracepoint){
		format ? arena_printf(arena, "%s:%s", format->system, format->name) : ev->name,
		p->fields, sizeof(struct event_pair_args), take};
}

int event_pairs_bind(struct event_pairs *pairs, struct arena *arena, const struct recording *rec,
		     replay_sample_fn take, struct replay_tracepoint *rows, struct err *err)
{
	for (size_t i = 0; i < pairs->n; i++) {
		struct event_pair *p = &pairs->at[i];

		p->begin_event = pair_event(rec, p->begin, err);
		p->end_event = p->begin_event ? pair_event(rec, p->end, err) : NULL;
		if (!p->end_event)
			return -1;
		if (p->begin_event == p->end_event)
			return err_set(err, ERR_USAGE, "'%s' cannot begin and end a pair",
				       p->begin);
		if (p->field)
			p->fields[0] =
				(struct replay_field){p->field, REPLAY_U64,
						      offsetof(struct event_pair_args, value)};
		rows[2 * i] = pair_row(arena, rec, p, p->begin_event, take);
		rows[2 * i + 1] = pair_row(arena, rec, p, p->end_event, take);
	}
	return 0;
}
