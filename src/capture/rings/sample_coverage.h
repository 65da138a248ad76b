/* SPDX-License-Identifier: MIT */
/*
 * How much of what events counted do their samples stand for? An event that tasks inherit begins a
 * period of its own in each of them, and a task that is shorter has no sample. The sum of the
 * samples' periods, held against the count, tells how much that is.
 *
 * Only where a task's events are inherited: elsewhere one clock runs for all.
 */
#ifndef CAPTURE_SAMPLE_COVERAGE_H
#define CAPTURE_SAMPLE_COVERAGE_H

#include "base/hash.h"
#include "event/event.h"
#include "os/ring.h"

struct sampled {
	VEC(struct sampled_event {
		const struct event *event;
		uint64_t samples, periods;
		size_t period_at; /* 0: all periods are the attribute's */
	}) events;
	struct idmap by_id; /* -> events */
	size_t id_at;	    /* 0: there is one event */
	uint64_t tasks;	    /* that were born */
};

struct unsampled {
	const char *event;  /* its name; NULL: nothing worth a word */
	double share;	    /* of the count, 0 to 1 */
	uint64_t tasks;	    /* that were born meanwhile */
	uint64_t excluded; /* ATTR_EXCLUDE_*: what the count holds nevertheless */
};

struct capture;
/* After its events were opened. */
void sampled_init(struct sampled *s, const struct capture *c);
void sampled_release(struct sampled *s);
/* The sample at this position of a ring. */
void sampled_add(struct sampled *s, const struct ring *r, uint64_t pos, size_t size);
/*
 * What share of a count has no samples, as far as tasks can be the cause: each loses one period at
 * most. period is that of a sample where there was none; 0: not known. Nothing is too little for a
 * word: less than a tenth, or than 20 samples.
 */
double sampled_missing(const struct sampled_event *e, uint64_t count, uint64_t tasks, uint64_t lost,
		       uint64_t period);
/* The event that misses most. */
void unsampled_find(const struct capture *c, struct unsampled *out);

#endif
