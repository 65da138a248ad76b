/* SPDX-License-Identifier: MIT */
/*
 * A source: records, pulled one after the other. Where they come from is not seen by the code that
 * pulls: a file, a pipe, memory, or the rings of a live session.
 *
 *   AUTO(source) *src = source_open(rec, &(struct source_options){.mode = SOURCE_ORDERED}, &err);
 *   while ((got = source_next(src, &record, &err)) > 0)
 *           ...
 *
 * A source is an origin and decorators on it, each of which is a source as well: ordered (by time),
 * joined (deferred call chains), split (samples with several counters), picked (by kind), timed (by
 * time). source_open() and source_wrap() choose those that the options need. A file can be opened
 * any number of times, a pipe once. A source must not outlive its recording or session.
 *
 * Some sources can do more than source_next(): give spans of undecoded records to be walked in
 * parallel (source_has_spans), or batches (data/source/batch.h). Either asks before it pulls.
 */
#ifndef DATA_SOURCE_H
#define DATA_SOURCE_H

#include "base/err.h"
#include "base/mem.h"
#include "data/measurement.h"

#include <string.h>

struct recording;
struct source;
struct span;

enum source_mode {
	SOURCE_FILE_ORDER, /* records as they stand, or as rings are drained */
	SOURCE_ORDERED,	   /* by time, as perf delivers them: rounds, stable; no time: at once */
	SOURCE_SIDE_BAND,  /* like ORDERED, without samples: for building the world */
	SOURCE_SAMPLES,	   /* samples only, file order: for profiles */
};

/* Which times of samples are wanted: wanted() is asked whether any time from..to is. NULL: all. */
struct source_times {
	bool (*wanted)(const void *ctx, uint64_t from, uint64_t to);
	const void *ctx;
};

/* Shows the samples that SOURCE_SIDE_BAND leaves out as they are passed: whole and undecoded, a
 * span of neighbours at a time, which is not to be released. NULL: nobody looks. */
struct source_passed {
	void (*see)(void *ctx, const struct span *samples);
	void *ctx;
};

/* All zero: every record as it stands. */
struct source_options {
	enum source_mode mode;
	/* A sample whose call chain was deferred comes with it (joined.c). */
	bool join_chains;
	/* A sample that holds the values of several counters (SAMPLE_READ) comes once for each that
	 * grew, .event and .sample.period changed (split.c). */
	bool split_reads;
	/* Bytes that stand behind a record (AUXTRACE) come with it from a pipe, too. */
	bool keep_following;
	/* FINISHED_ROUND records are not wanted: those between unwanted samples may stay unread. */
	bool without_rounds;
	/* Samples whose time is known and not wanted do not come. A file with a time index leaves
	 * most of them unread. */
	struct source_times times;
	struct source_passed passed;
};

/* NULL with *err: a pipe was read already. */
struct source *source_open(struct recording *rec, const struct source_options *opts,
			   struct err *err);
/* Puts decorators on an origin, which the new source owns. */
struct source *source_wrap(struct source *origin, const struct source_options *opts);
void source_free(struct source *src);
DEFINE_AUTO(source, source_free)

/* 1: *r holds the next record, valid until the next call; 0: the end; -1: *err says why.
 * Damage is not an error: it is passed over and counted in the measurement's losses. */
int source_next(struct source *src, struct record *r, struct err *err);
/* Of its records. */
struct measurement *source_measurement(const struct source *src);
/* The bytes of records that it is going to read, about; 0: not known. */
uint64_t source_bytes(const struct source *src);

/*
 * Many records at once, undecoded and whole, in file order: the input of parallel passes. The bytes
 * are valid until span_release. Records in it are walked with span_step and decoded with
 * record_decode by any thread (with a scratch buffer of its own). A span holds all records of a
 * stretch of the file, also those that .mode and .times leave out.
 */
struct span {
	const uint8_t *p;
	size_t n;
	uint64_t offset; /* of p in the file (of the COMPRESSED record, when expanded) */
	uint64_t seq;	 /* of its first record */
	void *owner;	 /* private to data/, as .input */
	const struct input *input;
};
bool source_has_spans(const struct source *src);
int source_next_span(struct source *src, struct span *span, struct err *err); /* 1/0/-1 */
void span_release(struct span *span);
/* The header (this machine's order) of the record at *pos; false at the end. Advances *pos. */
static inline bool span_step(const struct span *span, bool swap, size_t *pos,
			     const uint8_t **record, struct record_header *h)
{
	if (span->n - *pos < sizeof(*h))
		return false;
	memcpy(h, span->p + *pos, sizeof(*h));
	if (swap) {
		h->type = __builtin_bswap32(h->type);
		h->misc = __builtin_bswap16(h->misc);
		h->size = __builtin_bswap16(h->size);
	}
	if (h->size < sizeof(*h) || h->size > span->n - *pos)
		return false;
	*record = span->p + *pos;
	*pos += h->size;
	return true;
}

/* Counts what is wrong with a decoded record, at its offset. bad: record_decode() failed.
 * any_events: the measurement has events, one of which the record should be of. */
void record_count_losses(const struct record *r, bool bad, bool any_events, struct losses *losses);

#endif
