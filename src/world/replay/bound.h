/* SPDX-License-Identifier: MIT */
/* Private to replay: the fields of a tracepoint as they lie in its samples. */
#ifndef WORLD_REPLAY_BOUND_H
#define WORLD_REPLAY_BOUND_H

#include "world/replay/replay.h"

/* How a field is read: the usual numbers at once, all others by field_read(). */
enum bound_read { BOUND_ANY, BOUND_WORD, BOUND_U32, BOUND_S32 };

struct bound_field {
	enum replay_value value;
	enum bound_read read;
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
	uint64_t least;			     /* bytes of raw data that the numbers need */
	size_t written; /* bytes of the arguments that all fields together write */
	VEC(struct bound_field) fields;
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
/* Decodes the fields into rp->args, by a row that is not NULL. False: the sample is too short,
 * which is counted. */
bool replay_bound_read(struct replay *rp, const struct replay_bound *b, const struct record *r);

/* True for a sample inside the filter's times, CPUs and threads that no switch excludes. */
bool replay_wants_sample(struct replay *rp, const struct record *r);
/* How often bytes of the recording were found to be damaged. */
uint64_t replay_damage_seen(const struct losses *l);
/* Hands samples of tracepoints to their handlers, and passes those without a row undecoded, up to
 * the first record that needs replay_add(). Returns as a handler. */
int replay_take_stretches(struct replay *rp);

#endif
