/* SPDX-License-Identifier: MIT */
/*
 * An index of the samples' times in a file: a reader that wants samples of some time passes the
 * others unread. An extension at the end of the file (242, doc/format.md): u32 version (1), u32
 * size of an entry (40), u64 offset and u64 size of the data, u64 XXH3 of the entries, then the
 * entries, each a run of samples with nothing between them: u64 offset in the file, u32 bytes, u32
 * samples, u64 smallest time, u64 greatest time, u64 time of the last one. Records outside of all
 * runs (side-band, rounds, samples without a time, a few samples between those) are always read.
 * Written by sink_end.c when a file that is not compressed ends as it should, read by recording.c.
 */
#ifndef DATA_TIME_INDEX_H
#define DATA_TIME_INDEX_H

#include "base/buf.h"
#include "base/cursor.h"
#include "event/event.h"

struct time_run {
	uint64_t offset; /* in the file */
	uint32_t size, samples;
	uint64_t least, greatest, last; /* times */
};

/* The index of a file that is being written. All zero: not begun. */
struct time_index {
	uint32_t time_at; /* where samples hold their time; 0: no index can be made */
	uint64_t pos;	  /* of the next record in the file */
	struct time_run open;
	uint64_t short_from; /* the lowest offset at which a short run gets an entry */
	VEC(struct time_run) runs;
};

/* Begins the index of data that begins at offset pos of the file. */
void time_index_begin(struct time_index *x, const struct event_set *events, uint64_t pos);
/* Adds whole records, with the bytes that follow some of them, in two pieces at most. */
void time_index_add(struct time_index *x, const void *a, size_t a_len, const void *b, size_t b_len);
/* Appends the extension's payload for these data; false: there is no index. */
bool time_index_put(struct time_index *x, uint64_t offset, uint64_t size, struct buf *out);
void time_index_release(struct time_index *x);

/* The index of a file that was read: runs by offset, each within the data. */
struct time_runs {
	VEC(struct time_run) runs;
};

/* False when the payload is damaged, or made for other data. */
bool time_runs_read(struct time_runs *t, struct cursor c, uint64_t offset, uint64_t size);
void time_runs_release(struct time_runs *t);

#endif
