// SPDX-License-Identifier: MIT
#include "data/record/sample_layout.h"

#include "data/record/record_table.h"

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

const struct event *sample_layout_find_event(const struct sample_layout *l, uint64_t id)
{
	const struct event *ev = id ? event_set_find_id(l->events, id) : l->events->events.at[0];

	return ev && (ev->attr.sample_type & FIXED) == l->type ? ev : NULL;
}

/* Fills .ids: where two ids have the same low bits, the later one stays. */
static void layout_note_ids(struct sample_layout *l)
{
	const struct event_set *set = l->events;

	for (size_t i = 0; i < set->events.n; i++)
		for (size_t n = 0; n < set->events.at[i]->ids.n; n++) {
			const uint64_t id = set->events.at[i]->ids.at[n];
			const struct event *ev = sample_layout_find_event(l, id);

			if (ev)
				l->ids[id % SAMPLE_LAYOUT_IDS] =
					(struct sample_layout_id){.id = id, .ev = ev};
		}
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
	layout_note_ids(l);
	return true;
}

/* What perf samples of a tracepoint, beside the raw data and chains. */
#define FIXED_OF_TRACEPOINTS                                                                       \
	(SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD)

/* The fields of fixed size. Returns where they end. */
static inline const uint8_t *layout_decode_fixed(uint64_t type, const uint8_t *p, struct sample *s)
{
	if (type & SAMPLE_IDENTIFIER) {
		s->id = sample_word(p, 0);
		p += 8;
	}
	if (type & SAMPLE_IP) {
		s->ip = sample_word(p, 0);
		p += 8;
	}
	memcpy(&s->pid, p, sizeof(s->pid));
	memcpy(&s->tid, p + 4, sizeof(s->tid));
	s->time = sample_word(p, 8);
	p += 16;
	if (type & SAMPLE_ADDR) {
		s->addr = sample_word(p, 0);
		p += 8;
	}
	if (type & SAMPLE_ID) {
		s->id = sample_word(p, 0);
		p += 8;
	}
	if (type & SAMPLE_STREAM_ID) {
		s->stream_id = sample_word(p, 0);
		p += 8;
	}
	if (type & SAMPLE_CPU) {
		memcpy(&s->cpu, p, sizeof(s->cpu));
		p += 8;
	}
	if (type & SAMPLE_PERIOD) {
		s->period = sample_word(p, 0);
		p += 8;
	}
	return p;
}

bool sample_layout_decode(const struct sample_layout *l, const struct event *ev,
			  const uint8_t *record, const struct sample_chain *chain, struct record *r)
{
	const uint64_t type = ev->attr.sample_type;
	struct sample *s = &r->sample;
	const uint8_t *p;

	if ((uintptr_t)chain->words & 7)
		return false;
	memcpy(&r->header, record, sizeof(r->header));
	r->bytes = record;
	r->event = l->events->events.at[ev->index];
	s->type = type;
	s->period = ev->attr.sample_period;
	p = record + sizeof(r->header);
	/* without a branch for each field where the compiler knows them */
	p = l->type == FIXED_OF_TRACEPOINTS ? layout_decode_fixed(FIXED_OF_TRACEPOINTS, p, s)
					    : layout_decode_fixed(l->type, p, s);
	s->callchain_nr = chain->n;
	s->callchain = (const uint64_t *)chain->words;
	if (chain->words)
		p = chain->words + 8 * (size_t)chain->n;
	s->raw_size = 0;
	s->raw = NULL;
	if (type & SAMPLE_RAW) {
		memcpy(&s->raw_size, p, sizeof(s->raw_size));
		s->raw = p + sizeof(s->raw_size);
	}
	sample_record_id(s, &r->id);
	return true;
}
