/* SPDX-License-Identifier: MIT */
/*
 * A sink: where records go. The mirror of a source.
 *
 * A file sink is readable after each sink_sync, whatever happens to the writer then: the header
 * always describes the file as of the last sync, and later appends never damage that. (How:
 * features known before the first record lie before the data; each sync appends the table of their
 * offsets to the data, wrapped in a record that readers pass over. See doc/format.md.)
 *
 * When the disk is full, or the file as large as it may get, sink_put fails and takes nothing more.
 * sink_end then drops as many of the last records as the closing table needs room for, so that the
 * file stays readable.
 */
#ifndef DATA_SINK_H
#define DATA_SINK_H

#include "data/recording.h"

struct sink;
struct sink_queue;

struct sink_options {
	const char *path;  /* "-" is standard output, in pipe format */
	int compress;	   /* zstd level, 0: none */
	uint64_t max_size; /* 0: no limit; sink_put fails (SINK_FULL) when it would get larger */
	bool as_pipe;	   /* pipe format even in a regular file */
	bool as_directory; /* path becomes a directory, the file is PATH/data */
	unsigned int spare_ids; /* of a file: how many ids an event may get after sink_begin */
	struct sink_queue *queue; /* writes for the sink; NULL: sink_put waits for its writes */
};

#define SINK_FULL 1 /* what sink_put returns at max_size: not an error, but the end */

struct sink *sink_open(const struct sink_options *opts, struct err *err);
/* For tests: writes to memory, into *out. */
struct sink *sink_open_memory(bool as_pipe, struct buf *out);
void sink_free(struct sink *sink);
DEFINE_AUTO(sink, sink_free)

/* Writes magic and attributes (or their records, in pipe format). The set stays the caller's. */
int sink_begin(struct sink *sink, const struct event_set *events, struct err *err);
/* sink_id_room: how many more ids each of the events may get. sink_ids: writes the ids that they
 * got. */
size_t sink_id_room(const struct sink *sink, const struct event_set *events);
int sink_ids(struct sink *sink, const struct event_set *events, struct err *err);
/* Whole records, undecoded, in two pieces at most (a ring's wrap). 0, SINK_FULL or -1 with *err. */
int sink_put(struct sink *sink, const void *a, size_t a_len, const void *b, size_t b_len,
	     struct err *err);
int sink_put_record(struct sink *sink, const struct record *r, struct err *err);
/* Makes all records so far readable, once the queue has written them. */
int sink_sync(struct sink *sink, struct err *err);
/* A feature's payload. Copied. In a file, those given before the first record survive a writer that
 * dies; later ones (or later versions) are written at the end. In a pipe each goes at once, and
 * sink_features_done marks their end. */
int sink_feature(struct sink *sink, enum feature f, const void *p, size_t n, struct err *err);
int sink_features_done(struct sink *sink, struct err *err);
/* Tells the sink how many samples were put so far. Call before each sink_sync and before
 * sink_end. */
void sink_samples(struct sink *sink, uint64_t put);
/* Gives the sink a LOST_SAMPLES record with the samples that the kernel lost. A file that lacks
 * samples which were put ends with it; those samples are added to its count. */
void sink_lost_record(struct sink *sink, const void *record, size_t n);
/* Writes the rest of the file and closes it. Also after a failed sink_put. */
int sink_end(struct sink *sink, struct err *err);
/* After sink_end: how many samples were put but are not in the file, since it is full. For a pipe
 * that failed all of them, since the number is not known. */
uint64_t sink_samples_missing(const struct sink *sink);
bool sink_is_pipe(const struct sink *sink); /* does it write pipe format? */
/* True when records are compressed: a record that payload follows outside of its size cannot be put
 * then. */
bool sink_compresses(const struct sink *sink);
uint64_t sink_bytes(const struct sink *sink); /* written so far, header included */
/* With compression: the records' bytes before and after. */
uint64_t sink_bytes_plain(const struct sink *sink);
uint64_t sink_bytes_packed(const struct sink *sink);

#endif
