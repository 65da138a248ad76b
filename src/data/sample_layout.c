// SPDX-License-Identifier: MIT
#include "data/sample_layout.h"

#define BEFORE_ID     (SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR)
#define BEFORE_PERIOD (BEFORE_ID | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU)
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
	if (set->events.n > 1 && !(type & (SAMPLE_IDENTIFIER | SAMPLE_ID)))
		return false;
	if (type & SAMPLE_IP)
		l->ip_at = place_after(type & SAMPLE_IDENTIFIER);
	if (set->events.n > 1)
		l->id_at =
			type & SAMPLE_IDENTIFIER ? place_after(0) : place_after(type & BEFORE_ID);
	if (type & SAMPLE_PERIOD)
		l->period_at = place_after(type & BEFORE_PERIOD);
	l->fixed = place_after(type & FIXED);
	return true;
}

bool sample_is_whole(const struct sample_layout *l, const struct event *ev, const uint8_t *record,
		     size_t size, struct sample_chain *chain)
{
	size_t n = l->fixed;

	*chain = (struct sample_chain){0};
	if (size < n)
		return false;
	if (ev->attr.sample_type & SAMPLE_CALLCHAIN) {
		if (size - n < 8)
			return false;
		chain->n = sample_word(record, n);
		n += 8;
		if (chain->n > (size - n) / 8)
			return false;
		chain->words = record + n;
		n += 8 * (size_t)chain->n;
	}
	if (ev->attr.sample_type & SAMPLE_RAW) {
		uint32_t raw;

		if (size - n < sizeof(raw))
			return false;
		memcpy(&raw, record + n, sizeof(raw));
		n += sizeof(raw);
		if (raw > size - n)
			return false;
		n += raw;
	}
	return size - n < 8;
}
