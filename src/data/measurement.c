// SPDX-License-Identifier: MIT
#include "data/measurement.h"

void measurement_release(struct measurement *m)
{
	tp_formats_release(&m->formats);
	event_set_release(&m->events);
}

bool measurement_samples_any(const struct measurement *m, uint64_t sample_bits)
{
	for (size_t i = 0; i < m->events.events.n; i++)
		if (m->events.events.at[i]->attr.sample_type & sample_bits)
			return true;
	return false;
}

bool measurement_has_switches(const struct measurement *m)
{
	for (size_t i = 0; i < m->events.events.n; i++)
		if (m->events.events.at[i]->attr.flags & ATTR_CONTEXT_SWITCH)
			return true;
	return false;
}

bool measurement_follows_frame_pointers(const struct measurement *m)
{
	return measurement_samples_any(m, SAMPLE_CALLCHAIN) && !m->chains_made &&
	       !measurement_samples_any(m, SAMPLE_STACK_USER);
}

bool measurement_defers_chains(const struct measurement *m)
{
	for (size_t i = 0; i < m->events.events.n; i++)
		if (m->events.events.at[i]->attr.flags & ATTR_DEFER_CALLCHAIN)
			return true;
	return false;
}

/* The offset of the thread in an event's samples: after the identifier and the address. See
 * PERF_RECORD_SAMPLE in the kernel's perf_event.h. */
static size_t thread_offset(const struct event *ev)
{
	uint64_t type = ev->attr.sample_type;

	return sizeof(struct record_header) + (type & SAMPLE_IDENTIFIER ? 8 : 0) +
	       (type & SAMPLE_IP ? 8 : 0);
}

bool measurement_samples_alike(const struct measurement *m, size_t *thread_at)
{
	const struct event_set *set = &m->events;

	for (size_t i = 0; i < set->events.n; i++) {
		uint64_t type = set->events.at[i]->attr.sample_type;

		if (!(type & SAMPLE_TIME) || !(type & SAMPLE_TID) ||
		    thread_offset(set->events.at[i]) != thread_offset(set->events.at[0]))
			return false;
	}
	if (set->events.n)
		*thread_at = thread_offset(set->events.at[0]);
	return set->events.n;
}

struct record_decode measurement_decode(const struct measurement *m, struct buf *scratch)
{
	return (struct record_decode){.swap = m->swap,
				      .sample_id_all = m->sample_id_all,
				      .scratch = scratch,
				      .events = &m->events};
}
