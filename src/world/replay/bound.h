/* SPDX-License-Identifier: MIT */
/* Private to replay: the fields of a tracepoint as they lie in its samples. */
#ifndef WORLD_REPLAY_BOUND_H
#define WORLD_REPLAY_BOUND_H

#include "world/replay/replay.h"

/* A number that is read as the word which ends with it. The word lies in the raw data, since all
 * tracepoints begin with eight bytes that are no fields of their own. */
struct bound_number {
	uint32_t from;	/* of the word in the raw data */
	uint32_t to;	/* of the member in the arguments */
	uint32_t shift; /* bits of the word in front of the number */
	uint64_t mask;	/* of the shifted word: all bits of a signed number, which has its sign */
};

/* Any other field. */
struct bound_field {
	enum replay_value value;
	bool is_signed;
	uint32_t offset,
		size; /* bytes in the raw data: of a number, of one element of REPLAY_WORDS */
	uint32_t n;   /* elements that the data has */
	size_t at;
	const struct tp_field *field; /* of texts and bytes */
};

/* An event's row, with its fields found in the event's format. */
struct replay_bound {
	const struct replay_tracepoint *row; /* NULL: no row names it */
	/* Samples have raw data, and the row needs only numbers of it and .brief of the record. */
	bool plain;
	bool chained; /* a call chain is in front of the raw data */
	uint64_t least;			     /* bytes of raw data that the numbers need */
	VEC(struct bound_number) numbers;
	VEC(struct bound_field) fields;
	/* The row's struct. Each sample writes the same members of it; all others are zero, or
	 * .missing of their field. */
	void *args;
};

/* The event's row and fields, which need not be found again. NULL: *rp->err. */
const struct replay_bound *replay_bound_make(struct replay *rp, const struct event *ev);
static inline const struct replay_bound *replay_bound_of(struct replay *rp, const struct event *ev)
{
	if (rp->formats == rp->m->formats.changes && ev->index < rp->bound.n &&
	    rp->bound.at[ev->index])
		return rp->bound.at[ev->index];
	return replay_bound_make(rp, ev);
}
/* Counts a sample that is too short for its fields. */
void replay_bound_note_short(struct replay *rp, const struct record *r);
/* Decodes the fields that are not numbers. */
void replay_bound_read_fields(const struct replay *rp, const struct replay_bound *b,
			      const struct sample *s);

/* Decodes the numbers of raw data that has at least b->least bytes. */
static inline void replay_bound_read_numbers(const struct replay_bound *b, const uint8_t *raw)
{
	uint8_t *args = b->args;

	for (const struct bound_number *n = b->numbers.at, *end = n + b->numbers.n; n < end; n++) {
		int64_t word;

		memcpy(&word, raw + n->from, sizeof(word));
		word = (word >> n->shift) & (int64_t)n->mask;
		memcpy(args + n->to, &word, sizeof(word));
	}
}

/* Decodes the fields into b->args, by a row that is not NULL, and calls its handler. Returns as
 * that. A sample that is too short is counted and reaches no handler. */
static inline int replay_bound_take(struct replay *rp, const struct replay_bound *b,
				    const struct record *r)
{
	if (r->sample.raw_size < b->least) {
		replay_bound_note_short(rp, r);
		return REPLAY_GO;
	}
	replay_bound_read_numbers(b, r->sample.raw);
	if (b->fields.n)
		replay_bound_read_fields(rp, b, &r->sample);
	return b->row->take(rp, r, b->args);
}

/* True for a sample inside the filter's times, CPUs and threads that no switch excludes. */
bool replay_wants_sample(struct replay *rp, const struct record *r);
/* How often bytes of the recording were found to be damaged. */
uint64_t replay_damage_seen(const struct losses *l);
/* Hands samples to their handlers, and passes those without a handler undecoded, up to
 * the first record that needs replay_add(). Returns as a handler. */
int replay_take_batches(struct replay *rp);

#endif
