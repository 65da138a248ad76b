/* SPDX-License-Identifier: MIT */
/*
 * A sink: where records go. The mirror of a source.
 *
 * A file sink is readable at every moment after sink_begin: the header says data size 0 until
 * sink_sync or sink_end write what has come; sink_sync is cheap (one pwrite of the header) and is
 * called by the capture once a second. When the disk is full the records that fit stay readable, the
 * sink refuses what comes after, and sink_end still writes features where they fit.
 */
#ifndef DATA_SINK_H
#define DATA_SINK_H

#include "data/recording.h"

struct sink;

struct sink_options {
	const char *path; /* "-" is standard output, in pipe format */
	int compress;	  /* zstd level, 0: none */
	uint64_t max_size; /* 0: no limit; sink_put returns 0 bytes taken beyond it */
	bool as_pipe;	  /* pipe format even in a regular file */
	bool keep_old;	  /* rename an existing file to PATH.old (the default of record) */
};

struct sink *sink_open(const struct sink_options *opts, struct err *err);
/* Memory, for tests: the bytes end up in *out. */
struct sink *sink_open_memory(bool as_pipe, struct buf *out);
void sink_free(struct sink *sink);
DEFINE_AUTO(sink, sink_free)

/* Writes magic and attributes (or their records, in pipe format). The set stays the caller's. */
int sink_begin(struct sink *sink, const struct event_set *events, struct err *err);
/* Whole records, undecoded, in two pieces at most (a ring's wrap). 0, or -1 with *err. */
int sink_put(struct sink *sink, const void *a, size_t a_len, const void *b, size_t b_len,
	     struct err *err);
int sink_put_record(struct sink *sink, const struct record *r, struct err *err);
/* Makes all that came readable. */
int sink_sync(struct sink *sink, struct err *err);
/* A feature's payload, to be written at the end (file) or at once (pipe). Copied. */
int sink_feature(struct sink *sink, enum feature f, const void *p, size_t n, struct err *err);
int sink_end(struct sink *sink, struct err *err);
uint64_t sink_bytes(const struct sink *sink); /* written so far, header included */
uint64_t sink_bytes_in(const struct sink *sink); /* the same before compression */

#endif
