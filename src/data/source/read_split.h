/* SPDX-License-Identifier: MIT */
/*
 * Samples that carry counter values (SAMPLE_READ): such a sample is split into one sample for each
 * event in it, whose period is the growth of the event's counter since the sample before. All other
 * samples pass unchanged.
 *
 *   struct read_split split = {0};
 *   for (i = 0; read_split_next(&split, events, &record, &i, &ev, &period);)
 *           ... a sample of ev with that period
 *
 * The state is one counter value an id: samples of one id must come in order of time. One struct
 * read_split is not for two threads.
 */
#ifndef DATA_READ_SPLIT_H
#define DATA_READ_SPLIT_H

#include "data/record/record.h"

struct read_split {
	struct idmap at; /* id -> index into values */
	VEC(uint64_t) values;
};

/* True when samples of the event need splitting. */
static inline bool read_split_needed(const struct event *ev)
{
	return ev && ev->attr.sample_type & SAMPLE_READ;
}
bool read_split_next(struct read_split *s, const struct event_set *events, const struct record *r,
		     uint64_t *i, struct event **ev, uint64_t *period);
void read_split_release(struct read_split *s);

#endif
