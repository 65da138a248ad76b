/* SPDX-License-Identifier: MIT */
/*
 * A live source: the records of a session, pulled like those of a file: records of what already
 * runs first, the others in the order of time, with the measurement that they belong to and its
 * losses.
 *
 *   struct live_source *src = live_source_new();
 *   ... events are added to src->m.events ...
 *   live_source_open(src, &options, tell, ctx, &err)
 *   while ((got = live_source_next(src, until_ms, &record, &err)) > 0)
 *           ...
 *   live_source_free(src);
 *
 * A record may be delivered when no ring can hold an older one: when the rings were emptied once
 * more after it came. So records are up to one emptying late. live_source_next() delivers these
 * before it returns 0.
 *
 * While the caller does other things the spill thread (spill.h) empties the rings into memory, once
 * one is half full. Only when that memory is full, too, samples are lost; they are counted.
 */
#ifndef CAPTURE_SOURCE_LIVE_H
#define CAPTURE_SOURCE_LIVE_H

#include "capture/session/session.h"
#include "data/measurement.h"
#include "data/record/sample_layout.h"
#include "data/source/source_ops.h"

struct order;

struct live_source {
	struct source source; /* for code that pulls from any source; it pulls until .until_ms */
	struct session session;
	struct measurement m; /* losses are up to date after live_source_next() returned 0 */
	/* Records of the kernel that were lost: samples, and names, maps and the like. */
	uint64_t lost_samples, lost_side;
	/* private */
	struct session_options opts;
	void (*tell)(void *ctx, const char *text);
	void *tell_ctx;
	struct buf untimed;   /* records without a time: delivered at once */
	size_t untimed_at;
	struct shared_bytes *arriving; /* records of the pass that is under way */
	VEC(struct shared_bytes *) kept; /* chunks that are used again */
	struct sample_layout layout;
	bool laid_out, alike; /* .layout was looked for; it is that of all samples */
	struct order *order;
	uint64_t limit, seq;
	unsigned int delivered; /* records since the rings were emptied last */
	uint64_t until_ms; /* of live_source_next() */
	struct buf scratch;
	bool draining, round, opened, synthesizing, finished;
	bool snapshot_due; /* backward rings are read when the time is up */
	bool delivering; /* live_source_next() has not returned 0 since */
	unsigned int
		behind; /* emptyings of the rings until all that was in them has been delivered */
	size_t chunks;	/* of the spill thread that may be taken besides */
};

struct live_source *live_source_new(void);
void live_source_free(struct live_source *src);
DEFINE_AUTO(live_source, live_source_free)
/* Opens and starts a session for src->m.events. opts is copied; what it points to must outlive the
 * source. tell may be NULL. -1 with *err: the source can only be freed then. */
int live_source_open(struct live_source *src, const struct session_options *opts,
		     void (*tell)(void *ctx, const char *text), void *ctx, struct err *err);
/*
 * 1: *r is the next record, valid until the next call. 0: everything that came before until_ms (as
 * session_now_ms()) has been delivered, or session.stop is set, or session.input_ready. -1: *err.
 * With session.stop, 0 means that there is nothing more.
 */
int live_source_next(struct live_source *src, uint64_t until_ms, struct record *r, struct err *err);
/* Ends the session before its time. Waiting records are not delivered; losses are up to date. */
void live_source_stop(struct live_source *src);
/* Delivers the records of what already runs once more, before all others: for a world that begins
 * anew. -1: *err. */
int live_source_tell_again(struct live_source *src, struct err *err);

#endif
