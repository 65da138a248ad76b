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

#include <string.h>

#define SAMPLE_LAYOUT_FIXED                                                                        \
	(SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR | SAMPLE_ID |      \
	 SAMPLE_STREAM_ID | SAMPLE_CPU | SAMPLE_PERIOD)

struct sample_layout {
	const struct event_set *events;
	uint64_t type; /* SAMPLE_* of the fields of fixed size */
	/* In bytes from the record's beginning. pid and tid, one word, are always there, and so is
	 * the time, behind them; 0: the field is not. */
	size_t ids_at, ip_at, id_at, period_at;
	size_t fixed; /* where the fields of fixed size end */
};

/* False: not all samples of the recording are of that kind, or their bytes are of the
 * other order. Dummy events may have no period, since they have no samples. */
bool sample_layout_init(struct sample_layout *l, const struct measurement *m);

static inline uint64_t sample_word(const uint8_t *record, size_t at)
{
	uint64_t v;

	memcpy(&v, record + at, sizeof(v));
	return v;
}

/* The event of a sample that has at least the fixed fields; NULL: none of the recording's, or one
 * with other fields (a dummy event): to be decoded. */
static inline const struct event *sample_layout_event(const struct sample_layout *l,
						      const uint8_t *record)
{
	uint64_t id = l->id_at ? sample_word(record, l->id_at) : 0;
	const struct event *ev = id ? event_set_find_id(l->events, id) : l->events->events.at[0];

	return ev && (ev->attr.sample_type & SAMPLE_LAYOUT_FIXED) == l->type ? ev : NULL;
}
/* The time of a sample that has at least the fixed fields. */
static inline uint64_t sample_layout_time(const struct sample_layout *l, const uint8_t *record)
{
	return sample_word(record, l->ids_at + 8);
}

/* The words of its chain; NULL with n 0: it has none. They stand in the record. */
struct sample_chain {
	const uint8_t *words;
	uint64_t n;
};

/* True when the sample has exactly the fields that its event has. Others must be decoded, which
 * also counts what is wrong with them. */
bool sample_is_whole(const struct sample_layout *l, const struct event *ev, const uint8_t *record,
		     size_t size, struct sample_chain *chain);

#endif
