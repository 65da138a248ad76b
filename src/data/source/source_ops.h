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
 * them for source_next(). A decorator that makes records has next instead; what is put on it then
 * pulls decoded records. Functions that are NULL are capabilities that the source does not have.
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
void shared_bytes_drop(struct shared_bytes *b); /* NULL is nothing */

struct raw_record {
	struct record_header header; /* this machine's order */
	const uint8_t *p;	     /* valid until the next pull, or as long as .owner is held */
	struct shared_bytes *owner;
	uint64_t offset, seq; /* as in struct record, as .part */
	uint32_t part;
	bool expanded; /* it stood in a COMPRESSED record, whose offset is .offset */
	bool defines;  /* it says something of the whole that source_ops.define has not taken yet */
	uint64_t following;  /* bytes after the record that belong to it */
	/* Those, when they are there; else NULL. simpleperf has TRACING_DATA's in the record. */
	const uint8_t *blob;
	uint32_t blob_size; /* of TRACING_DATA's, which may be at a SPLIT_END */
};

/* Runs of samples whose times are known before they are read. */
struct source_runs {
	/* The run with which the next record begins; NULL: none does. */
	const struct time_run *(*next)(struct source *src);
	/* Passes that run unread, or notes that it is going to be read. */
	void (*pass)(struct source *src, const struct time_run *run);
	void (*read)(struct source *src, const struct time_run *run);
	/* After pass: passes a record without content (FINISHED_ROUND), unread, when all that
	 * stands before the next run is one. */
	bool (*pass_empty)(struct source *src, const struct time_run *passed);
};

struct source_ops {
	/* 1: *raw holds the next record; 0: the end; -1: *err says why. */
	int (*next_raw)(struct source *src, struct raw_record *raw, struct err *err);
	/* Takes what a record with .defines says into the measurement. Called before the next pull,
	 * and before the record is decoded. */
	void (*define)(struct source *src, const struct raw_record *raw);
	/* Like source_next(). NULL: next_raw, define and source_decode() do. */
	int (*next)(struct source *src, struct record *r, struct err *err);
	int (*next_span)(struct source *src, struct span *span, struct err *err);
	const struct source_runs *runs;
	/* Passes the samples behind the one that next_raw delivered last, while their times do not
	 * fall: see reader_ascending(). 0: none. */
	size_t (*ascending)(struct source *src, const struct sample_layout *layout, uint64_t *time);
	/* Keeps so many bytes of a mapped file in memory behind the last record. */
	void (*keep_behind)(struct source *src, uint64_t bytes);
	uint64_t (*bytes)(const struct source *src); /* see source_bytes() */
	void (*free)(struct source *src); /* with all that it owns, and itself */
};

struct source {
	const struct source_ops *ops;
	struct measurement *m;
	/* It is the first to read these records: what cannot be decoded, or comes too late, is
	 * counted in the losses. */
	bool counts_samples, counts_side_band, counts_order;
	struct buf scratch; /* of the record decoded last */
};

/* All counts_* true: records of a live session come once. */
void source_init(struct source *src, const struct source_ops *ops, struct measurement *m);
/* A decorator's: measurement and counts are those of the source below. */
void source_init_on(struct source *src, const struct source_ops *ops, const struct source *below);
/* For .free: what source_init made. */
void source_release(struct source *src);

/* Decodes what is to be delivered, into src->scratch. False: it cannot be, which is counted. */
bool source_decode(struct source *src, const struct raw_record *raw, struct record *r);
/* The same for any thread, with its own scratch buffer and losses. */
bool source_decode_to(const struct source *src, const struct raw_record *raw, struct buf *scratch,
		      struct losses *losses, struct record *r);

/* True when records of that mode have to be put in order. A source that makes records (.next) does
 * so in order. Without ids in all records, samples alone have times: then perf keeps the file's
 * order. events_known: false of a pipe, which tells of them later. */
bool source_needs_order(const struct source *src, enum source_mode mode, bool events_known);

/* The decorators. Each owns the source below it. */
struct source *source_ordered(struct source *below, const struct source_options *opts);
struct source *source_joined(struct source *below);
struct source *source_split(struct source *below);
struct source *source_picked(struct source *below, enum source_mode mode,
			     const struct source_passed *passed);
struct source *source_timed(struct source *below, const struct source_times *times);

/* The origin of a file, a pipe or memory. It leaves out what mode leaves out, and passes runs of
 * unwanted samples unread, but for SOURCE_ORDERED: the ordered decorator has to know of them. */
struct source *source_of_file(struct recording *rec, const struct source_options *opts,
			      struct err *err);

#endif
