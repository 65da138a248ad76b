/* SPDX-License-Identifier: MIT */
/*
 * Offsets of the fields of samples, in recordings whose samples all have the same fields: a few
 * loads read what record_decode() would decode. For readers of millions of samples.
 *
 * The fields are those of PERF_RECORD_SAMPLE (the kernel's include/uapi/linux/perf_event.h) up to
 * the period, each a word and in that order, then perhaps a call chain, then perhaps raw data.
 */
#ifndef DATA_SAMPLE_LAYOUT_H
#define DATA_SAMPLE_LAYOUT_H

#include "data/measurement.h"
#include "data/record/record.h"

#include <string.h>

#define SAMPLE_LAYOUT_FIXED                                                                        \
	(SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR | SAMPLE_ID |      \
	 SAMPLE_STREAM_ID | SAMPLE_CPU | SAMPLE_PERIOD)

/* Kernel ids and their events, by the low bits of the id. Other ids need a hash lookup. */
#define SAMPLE_LAYOUT_IDS 256
struct sample_layout_id {
	uint64_t id; /* of a free slot: one with other low bits, so that no lookup finds it */
	struct event *ev;
};

struct sample_layout {
	const struct event_set *events;
	uint64_t type; /* SAMPLE_* of the fields of fixed size */
	uint64_t has;  /* what struct record_id says of the samples */
	/* In bytes from the record's beginning. pid and tid, one word, are always there, followed
	 * by the time. 0: the samples lack the field. */
	size_t ids_at, ip_at, id_at, cpu_at, period_at;
	uint64_t id_mask; /* of the word at id_at; 0: the only event's samples have no id */
	size_t fixed; /* where the fields of fixed size end */
	struct sample_layout_id ids[SAMPLE_LAYOUT_IDS]; /* private */
};

/* False when the samples of the recording differ in their fields, or are in the other byte order.
 * Dummy events may have no period, since they have no samples. */
bool sample_layout_init(struct sample_layout *l, const struct measurement *m);

static inline uint64_t sample_word(const uint8_t *record, size_t at)
{
	uint64_t v;

	memcpy(&v, record + at, sizeof(v));
	return v;
}

/* Private: sample_layout_event() for ids that are not in .ids. */
struct event *sample_layout_find_event(const struct sample_layout *l, uint64_t id);
/* The event of a sample that has at least the fixed fields. NULL: an unknown event, or one with
 * other fields (a dummy event); decode the sample then. */
static inline struct event *sample_layout_event(const struct sample_layout *l,
						const uint8_t *record)
{
	const uint64_t id = sample_word(record, l->id_at) & l->id_mask;
	const struct sample_layout_id *known = &l->ids[id % SAMPLE_LAYOUT_IDS];

	return known->id == id ? known->ev : sample_layout_find_event(l, id);
}
/* The time of a sample that has at least the fixed fields. */
static inline uint64_t sample_layout_time(const struct sample_layout *l, const uint8_t *record)
{
	return sample_word(record, l->ids_at + 8);
}

/* The words of a sample's call chain, inside the record; NULL with n 0: it has none. */
struct sample_chain {
	const uint8_t *words;
	uint64_t n;
};

/* True when the sample is exactly as long as its fields. Other samples must be decoded, which also
 * counts their damage. */
static inline bool sample_is_whole(const struct sample_layout *l, const struct event *ev,
				   const uint8_t *record, size_t size,
				   struct sample_chain *chain)
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

/* Private: decodes the fields of fixed size. Returns where they end. */
static inline const uint8_t *sample_layout_decode_fixed(uint64_t type, const uint8_t *p,
							struct sample *s)
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

/* What perf samples of a tracepoint, beside the raw data and chains. */
#define SAMPLE_LAYOUT_TRACEPOINT                                                                   \
	(SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD)

/* What record_decode() makes of a sample that sample_is_whole(), which set *chain. All other
 * members of *r stay as they are: zero, or those of a sample that was decoded here before. .offset,
 * .part and .seq are the caller's. False: the chain's words are not aligned; use record_decode().
 */
static inline bool sample_layout_decode(const struct sample_layout *l, struct event *ev,
					const uint8_t *record, const struct sample_chain *chain,
					struct record *r)
{
	struct sample *s = &r->sample;
	const uint8_t *p = record + sizeof(r->header);

	if ((uintptr_t)chain->words & 7)
		return false;
	memcpy(&r->header, record, sizeof(r->header));
	r->bytes = record;
	r->event = ev;
	s->type = ev->attr.sample_type;
	s->period = ev->attr.sample_period;
	/* without a branch for each field where the compiler knows them */
	if (l->type == SAMPLE_LAYOUT_TRACEPOINT)
		p = sample_layout_decode_fixed(SAMPLE_LAYOUT_TRACEPOINT, p, s);
	else
		p = sample_layout_decode_fixed(l->type, p, s);
	s->callchain_nr = chain->n;
	s->callchain = (const uint64_t *)chain->words;
	if (chain->words)
		p = chain->words + 8 * (size_t)chain->n;
	s->raw_size = 0;
	s->raw = NULL;
	if (s->type & SAMPLE_RAW) {
		memcpy(&s->raw_size, p, sizeof(s->raw_size));
		s->raw = p + sizeof(s->raw_size);
	}
	r->id.has = l->has;
	r->id.pid = s->pid;
	r->id.tid = s->tid;
	r->id.time = s->time;
	r->id.id = s->id;
	r->id.stream_id = s->stream_id;
	r->id.cpu = s->cpu;
	return true;
}

#endif
