// SPDX-License-Identifier: MIT
#include "profile/samples/reading/sample_layout.h"

#define BEFORE_ID     (SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR)
#define BEFORE_PERIOD (BEFORE_ID | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU)
#define FIXED	      (BEFORE_PERIOD | SAMPLE_PERIOD)

static size_t place_after(uint64_t fields)
{
	return sizeof(struct record_header) + 8 * (size_t)__builtin_popcountll(fields);
}

bool sample_layout_init(struct sample_layout *l, const struct measurement *m)
{
	const struct event_set *set = &m->events;
	uint64_t type;

	*l = (struct sample_layout){.events = set};
	if (m->swap || !measurement_samples_alike(m, &l->ids_at))
		return false;
	type = set->events.at[0]->attr.sample_type;
	for (size_t i = 0; i < set->events.n; i++) {
		uint64_t other = set->events.at[i]->attr.sample_type;

		if ((other ^ type) & FIXED || other & ~(FIXED | SAMPLE_CALLCHAIN | SAMPLE_RAW))
			return false;
	}
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
