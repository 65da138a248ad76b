/* SPDX-License-Identifier: MIT */
/*
 * The share of an event's count that its samples stand for. An event that tasks inherit begins a
 * period of its own in each of them, and a task that is shorter has no sample. The sum of the
 * samples' periods, divided by the count, gives that share.
 *
 * Used only where events are inherited: elsewhere one sampling clock runs for all tasks.
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
	const char *event;  /* its name; NULL: nothing to report */
	double share;	    /* of the count, 0 to 1 */
	uint64_t tasks;	    /* that were born meanwhile */
	uint64_t excluded; /* ATTR_EXCLUDE_*: modes that samples exclude, but the count includes */
};

struct capture;
/* To be called after the events were opened. */
void sampled_init(struct sampled *s, const struct capture *c);
void sampled_release(struct sampled *s);
/* Adds the sample at this position of a ring. */
void sampled_add(struct sampled *s, const struct ring *r, uint64_t pos, size_t size);
/*
 * The share of a count without samples that new tasks can have caused: each task loses one period
 * at most. period is used where there was no sample; 0: not known. 0 when the share is below a
 * tenth, or below 20 samples.
 */
double sampled_missing(const struct sampled_event *e, uint64_t count, uint64_t tasks, uint64_t lost,
		       uint64_t period);
/* The event that misses most. */
void unsampled_find(const struct capture *c, struct unsampled *out);

#endif
