// SPDX-License-Identifier: MIT
#include "data/record/sample_layout.h"

#include "data/record/record_table.h"

#define BEFORE_ID     (SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR)
#define BEFORE_CPU    (BEFORE_ID | SAMPLE_ID | SAMPLE_STREAM_ID)
#define BEFORE_PERIOD (BEFORE_CPU | SAMPLE_CPU)
#define FIXED	      SAMPLE_LAYOUT_FIXED
#define SW_DUMMY      9 /* PERF_COUNT_SW_DUMMY */

static size_t place_after(uint64_t fields)
{
	return sizeof(struct record_header) + 8 * (size_t)__builtin_popcountll(fields);
}

/* True for an event that is only there for its side-band records: the kernel makes no sample of
 * it. */
static bool event_is_dummy(const struct attr *a)
{
	return a->type == TYPE_SOFTWARE && a->config == SW_DUMMY;
}

static uint64_t first_sampled_type(const struct event_set *set)
{
	for (size_t i = 0; i < set->events.n; i++)
		if (!event_is_dummy(&set->events.at[i]->attr))
			return set->events.at[i]->attr.sample_type;
	return set->events.at[0]->attr.sample_type;
}

struct event *sample_layout_find_event(const struct sample_layout *l, uint64_t id)
{
	struct event *ev = id ? event_set_find_id(l->events, id) : l->events->events.at[0];

	return ev && (ev->attr.sample_type & FIXED) == l->type ? ev : NULL;
}

static void layout_note_id(struct sample_layout *l, uint64_t id)
{
	struct event *ev = sample_layout_find_event(l, id);

	if (ev)
		l->ids[id % SAMPLE_LAYOUT_IDS] = (struct sample_layout_id){.id = id, .ev = ev};
}

/* Fills .ids: where two ids have the same low bits, the later one stays. */
static void layout_note_ids(struct sample_layout *l)
{
	const struct event_set *set = l->events;

	for (size_t i = 0; i < SAMPLE_LAYOUT_IDS; i++)
		l->ids[i].id = ~(uint64_t)i;
	for (size_t i = 0; i < set->events.n && l->id_at; i++)
		for (size_t n = 0; n < set->events.at[i]->ids.n; n++)
			layout_note_id(l, set->events.at[i]->ids.at[n]);
	if (!l->id_at)
		layout_note_id(l, 0);
}

bool sample_layout_init(struct sample_layout *l, const struct measurement *m)
{
	const struct event_set *set = &m->events;
	uint64_t type;

	*l = (struct sample_layout){.events = set};
	if (m->swap || !measurement_samples_alike(m, &l->ids_at))
		return false;
	type = first_sampled_type(set);
	for (size_t i = 0; i < set->events.n; i++) {
		const struct attr *a = &set->events.at[i]->attr;

		if ((a->sample_type ^ type) & (event_is_dummy(a) ? BEFORE_PERIOD : FIXED) ||
		    a->sample_type & ~(FIXED | SAMPLE_CALLCHAIN | SAMPLE_RAW))
			return false;
	}
	l->type = type & FIXED;
	l->has = type & (SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU);
	if (type & SAMPLE_IDENTIFIER)
		l->has |= SAMPLE_ID;
	if (set->events.n > 1 && !(type & (SAMPLE_IDENTIFIER | SAMPLE_ID)))
		return false;
	if (type & SAMPLE_IP)
		l->ip_at = place_after(type & SAMPLE_IDENTIFIER);
	if (set->events.n > 1)
		l->id_at =
			type & SAMPLE_IDENTIFIER ? place_after(0) : place_after(type & BEFORE_ID);
	l->id_mask = l->id_at ? UINT64_MAX : 0;
	if (type & SAMPLE_CPU)
		l->cpu_at = place_after(type & BEFORE_CPU);
	if (type & SAMPLE_PERIOD)
		l->period_at = place_after(type & BEFORE_PERIOD);
	l->fixed = place_after(type & FIXED);
	layout_note_ids(l);
	return true;
}
