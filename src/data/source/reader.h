/* SPDX-License-Identifier: MIT */
/*
 * Raw records, one after the other, as they stand: the layer below every source.
 *
 * It follows the parts of a directory, expands compressed records (the COMPRESSED record is
 * delivered first, then what it holds), steps over the bytes that follow AUXTRACE and TRACING_DATA,
 * passes over damage to the next record that can be one, and counts what was lost. It decodes
 * nothing but what that takes.
 */
#ifndef DATA_READER_H
#define DATA_READER_H

#include "data/extension/time_index.h"
#include "data/recording.h"
#include "data/sample_layout.h"
#include "data/simpleperf.h"
#include "data/source/source_ops.h"

#include <zstd.h>

/* Bytes that are still to be walked: the file's, or expanded ones. */
struct unread {
	struct shared_bytes *owner;
	const uint8_t *p, *end;
};

/* How much of a mapped file stays in memory behind the reader, mostly. */
#define READER_BEHIND (2u * 1024 * 1024)

struct reader {
	struct recording *rec;
	struct input *in;
	uint64_t at, end; /* file offsets: of outer.p, and of the data's end */
	uint64_t behind;  /* so much stays in memory, and a little more */
	uint64_t passed;  /* up to where the input has been told that its bytes were passed */
	uint64_t told;	  /* up to where progress was told */
	struct unread outer, inner;
	uint64_t inner_offset; /* of the COMPRESSED record that inner came from */
	uint64_t seq;
	size_t part; /* of a directory: 0 is "data" */
	ZSTD_DCtx *zstd;
	const uint8_t *packed; /* compressed bytes that are still to be expanded */
	size_t packed_n;
	uint64_t packed_bytes, expanded_eighths,
		expanded_bytes; /* so far: how much came of how little */
	bool keep_following; /* of a pipe, too: .blob is wanted of every record that has one */
	bool dropping; /* compressed records, since they expand without end */
	struct split_record split;
	bool torn; /* the expansion before this one failed in the middle */
	uint64_t pending; /* bytes of the record delivered last, with what follows it */
	uint32_t record_size; /* of that record alone, as its header says */
	size_t run;	  /* of the index: the next one, about */
};

void reader_init(struct reader *rd, struct recording *rec);
void reader_release(struct reader *rd);
/* Where the next record stands. */
uint64_t reader_position(const struct reader *rd);
/* 1: *raw is valid until the next call (its owner can be held for longer); 0: the end. */
int reader_next(struct reader *rd, struct raw_record *raw);
/* The samples that follow the record that was delivered last, in a mapped file, are passed without
 * being delivered: how many bytes; at most so many. That record must not have been expanded. */
size_t reader_samples(struct reader *rd, size_t most);
/* Passes the samples that follow the record that was delivered last, a sample of that time, in a
 * mapped file, while their times do not fall: how many bytes. *time is then that of the last one.
 * All passed ones have an event, and the layout's fields. */
size_t reader_ascending(struct reader *rd, const struct sample_layout *layout, uint64_t *time);
/* The run of the index with which the next record begins, or the first one after that; NULL: there
 * is none. */
const struct time_run *reader_run(struct reader *rd);
/* Does the next record begin with that run? */
bool reader_at_run(const struct reader *rd, const struct time_run *run);
/* The next record begins with that run, which is passed unread (or noted to be read). */
void reader_pass_run(struct reader *rd, const struct time_run *run);
/* After reader_pass_run: passes a record without content, unread, when all that stands before the
 * next run is one. */
bool reader_pass_empty(struct reader *rd, const struct time_run *passed);
void reader_read_run(struct reader *rd, const struct time_run *run);

/* damage.c: the distance from p to the next place where a record can begin; n when none
 * is found. */
size_t damage_skip(const struct recording *rec, const uint8_t *p, size_t n);
/* Can a record begin at p, of which n bytes are known? */
bool damage_plausible(const struct recording *rec, const uint8_t *p, size_t n);

#endif
