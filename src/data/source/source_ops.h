/* SPDX-License-Identifier: MIT */
/*
 * How a source is made: a struct that begins with struct source, and a const table of functions.
 * For origins (data/source/file.c, live sessions) and decorators; code that pulls records needs
 * data/source.h only.
 *
 *   struct my_source {
 *           struct source src;   first
 *           ...
 *   };
 *   static const struct source_ops my_ops = {.next_raw = my_next_raw, .free = my_free};
 *   source_init(&my->src, &my_ops, &measurement);
 *
 * Records travel undecoded (next_raw) from the origin to the outermost decorator, which decodes
 * them for source_next(). A decorator that makes records has next instead, and a decorator above it
 * pulls decoded records. A function that is NULL is a capability that the source lacks.
 */
#ifndef DATA_SOURCE_OPS_H
#define DATA_SOURCE_OPS_H

#include "data/source.h"

struct sample_layout;
struct time_run;

/* Bytes that several records point into, with a count of their users. Record bytes without an owner
 * (NULL) live as long as the recording. */
struct shared_bytes {
	int refs;
	size_t n, cap;
	uint8_t at[];
};
struct shared_bytes *shared_bytes_new(size_t cap); /* empty, with one user */
static inline void shared_bytes_hold(struct shared_bytes *b)
{
	if (b)
		__atomic_add_fetch(&b->refs, 1, __ATOMIC_RELAXED);
}
void shared_bytes_drop(struct shared_bytes *b); /* NULL: does nothing */

struct raw_record {
	struct record_header header; /* this machine's order */
	const uint8_t *p;	     /* valid until the next pull, or as long as .owner is held */
	struct shared_bytes *owner;
	uint64_t offset, seq; /* as in struct record, as .part */
	uint32_t part;
	bool expanded; /* it stood in a COMPRESSED record, whose offset is .offset */
	bool defines;  /* a definition that source_ops.define has not taken yet */
	uint64_t following;  /* bytes after the record that belong to it */
	/* The .following bytes, if they were read; else NULL. In simpleperf's TRACING_DATA they are
	 * in the record. */
	const uint8_t *blob;
	uint32_t blob_size; /* of the blob of TRACING_DATA, which a SPLIT_END may carry */
};

/* The event of a queued record that is not a sample, or whose fields were not looked at. */
#define QUEUED_UNSEEN UINT32_MAX

/* A record that waits for its turn in the order of time. */
struct queued {
	uint64_t time;
	uint32_t at, nth; /* from its run's beginning: bytes, records */
	uint32_t run;	  /* index of the run in a batch's .runs */
	/* Index of its event: it is a sample with all fields of its event's layout, and exactly as
	 * long as they are. Or QUEUED_UNSEEN. */
	uint32_t event;
};

/* Neighbouring records of which each is at least as old as the next. */
struct queued_run {
	const uint8_t *base, *end;
	uint64_t offset, seq; /* of the first record, as in struct record, as .part */
	uint32_t part;
	bool expanded; /* all have the same .offset */
	struct shared_bytes *owner;

	/* private to data/source/order.h */
	uint32_t slot;	    /* index in .runs of batches */
	uint64_t time;	    /* of the first record that waits, or less */
	uint64_t last_time; /* of the last record */
	uint64_t passed;    /* offset up to which its bytes were told as passed */
	/* The queued records, of which some have been taken: in .own or, if that is NULL, in the
	 * queue of that round. */
	struct queued *own;
	size_t first, n;
	unsigned int round;
	uint32_t rest_nth;
	const uint8_t *rest; /* behind the queued records */
};

/* The records that come next, in the order of time. */
struct queued_batch {
	const struct sample_layout *layout; /* of all samples of the recording */
	struct queued_run *const *runs;
	const struct queued *at;
	size_t n;
};

/* Samples that are passed, see reader_ascending(). */
struct ascending {
	const struct sample_layout *layout;
	uint64_t time; /* of the record before the first one, then of the last one */
	/* By index of the event. Samples of others are not noted, unless they are the last one or
	 * not whole. NULL: all are. */
	const bool *wanted;
	/* Samples behind .base, the first one the .nth of that run, are noted in .to, which has
	 * room for so many. NULL: none are noted. */
	const uint8_t *base;
	uint32_t nth, run;
	struct queued *to;
	size_t room;
	uint32_t passed, noted; /* how many were */
};

/* Runs of samples whose times are known before they are read. */
struct source_runs {
	/* The run that begins at the next record; NULL: there is none. */
	const struct time_run *(*next)(struct source *src);
	/* .pass passes that run unread; .read notes that its records are going to be read. */
	void (*pass)(struct source *src, const struct time_run *run);
	void (*read)(struct source *src, const struct time_run *run);
	/* After pass: passes a record without content (FINISHED_ROUND), unread, when all that
	 * stands before the next run is one. */
	bool (*pass_empty)(struct source *src, const struct time_run *passed);
};

struct source_ops {
	/* 1: *raw holds the next record; 0: the end; -1: *err says why. */
	int (*next_raw)(struct source *src, struct raw_record *raw, struct err *err);
	/* Takes the definition of a record with .defines into the measurement. Called before the
	 * next pull, and before the record is decoded. */
	void (*define)(struct source *src, const struct raw_record *raw);
	/* As source_next(). NULL: source_next() uses next_raw, define and source_decode(). */
	int (*next)(struct source *src, struct record *r, struct err *err);
	int (*next_span)(struct source *src, struct span *span, struct err *err);
	const struct source_runs *runs;
	/* Passes the samples behind the one that next_raw delivered last, while their times do not
	 * fall: see reader_ascending(). 0: none. */
	size_t (*ascending)(struct source *src, struct ascending *a);
	/* False: next_raw must be called for the next record. */
	bool (*batch)(struct source *src, struct queued_batch *b);
	/* Takes the first n records of the batch. Their bytes are valid until the next pull. */
	void (*take_batch)(struct source *src, size_t n);
	/* Samples of events that are not wanted may be left out, which .left_out of the source
	 * counts. Not the youngest one. */
	void (*leave_out)(struct source *src, bool (*wanted)(void *ctx, const struct event *ev),
			  void *ctx);
	/* Keeps so many bytes of a mapped file in memory behind the last record. */
	void (*keep_behind)(struct source *src, uint64_t bytes);
	/* Tells that the records at these file offsets, which next_raw has delivered, are done. */
	void (*passed)(struct source *src, uint64_t from, uint64_t to);
	uint64_t (*bytes)(const struct source *src); /* see source_bytes() */
	void (*free)(struct source *src); /* with all that it owns, and itself */
};

struct source {
	const struct source_ops *ops;
	struct measurement *m;
	/* True for the first source that reads these records: it counts in the losses what cannot
	 * be decoded or comes too late. */
	bool counts_samples, counts_side_band, counts_order;
	uint64_t left_out;  /* samples: see source_ops.leave_out */
	struct buf scratch; /* of the record decoded last */
};

/* Sets all counts_* to true, as for a live session, whose records are read once. */
void source_init(struct source *src, const struct source_ops *ops, struct measurement *m);
/* For a decorator: takes the measurement and counts_* of the source below. */
void source_init_on(struct source *src, const struct source_ops *ops, const struct source *below);
/* To be called by .free: releases what source_init made. */
void source_release(struct source *src);

/* Decodes a record for delivery, with src->scratch. False: it cannot be decoded, which is
 * counted. */
bool source_decode(struct source *src, const struct raw_record *raw, struct record *r);
/* As source_decode(), for any thread, with its own scratch buffer and losses. */
bool source_decode_to(const struct source *src, const struct raw_record *raw, struct buf *scratch,
		      struct losses *losses, struct record *r);

/* True when source_ordered() is needed for records of that mode. A source with .next makes records
 * in order. Without sample_id_all, only samples have times, and perf keeps the file's order.
 * events_known: false for a pipe, whose events come later. */
bool source_needs_order(const struct source *src, enum source_mode mode, bool events_known);

/* The decorators. Each owns the source below it. */
struct source *source_ordered(struct source *below, const struct source_options *opts);
struct source *source_joined(struct source *below);
struct source *source_split(struct source *below);
struct source *source_picked(struct source *below, enum source_mode mode,
			     const struct source_passed *passed);
struct source *source_timed(struct source *below, const struct source_times *times);

/* The origin of a file, a pipe or memory. It drops the records that mode drops. It passes runs of
 * unwanted samples unread, except for SOURCE_ORDERED, where the ordered decorator does. */
struct source *source_of_file(struct recording *rec, const struct source_options *opts,
			      struct err *err);

#endif
