/* SPDX-License-Identifier: MIT */
/*
 * Raw records, one after the other, as they stand: the layer below every source.
 *
 * It follows the parts of a directory, expands compressed records (the COMPRESSED record is
 * delivered first, then what it holds), steps over the bytes that follow AUXTRACE and TRACING_DATA,
 * skips damage up to the next plausible record, and counts losses. It decodes no more than that
 * needs.
 */
#ifndef DATA_READER_H
#define DATA_READER_H

#include "data/extension/time_index.h"
#include "data/recording.h"
#include "data/record/sample_layout.h"
#include "data/simpleperf.h"
#include "data/source/source_ops.h"

#include <zstd.h>

/* Bytes with records that were not delivered yet: of the file, or decompressed. */
struct unread {
	struct shared_bytes *owner;
	const uint8_t *p, *end;
};

/* Bytes of a mapped file that stay in memory behind the reader, by default. */
#define READER_BEHIND (2u * 1024 * 1024)

struct reader {
	struct recording *rec;
	struct input *in;
	uint64_t at, end; /* file offsets: of outer.p, and of the data's end */
	uint64_t behind;  /* bytes behind .at that stay in memory, at least */
	uint64_t passed;  /* file offset up to which input_passed() was called */
	uint64_t told;	  /* file offset of the last report of progress */
	struct unread outer, inner;
	uint64_t inner_offset; /* of the COMPRESSED record that inner came from */
	uint64_t seq;
	size_t part; /* of a directory: 0 is "data" */
	ZSTD_DCtx *zstd;
	const uint8_t *packed; /* compressed bytes that are still to be expanded */
	size_t packed_n;
	uint64_t packed_bytes, expanded_eighths,
		expanded_bytes; /* so far: bytes in; records (a sample: 1/8), bytes out */
	bool keep_following; /* of a pipe, too: .blob is wanted of every record that has one */
	bool dropping; /* all compressed records, after one that reader_believes() refused */
	struct split_record split;
	bool torn; /* the expansion before this one failed in the middle */
	uint64_t pending; /* bytes of the record delivered last, with what follows it */
	uint32_t record_size; /* of that record alone, as its header says */
	size_t run;	  /* index of the next run in the time index, or before it */
};

void reader_init(struct reader *rd, struct recording *rec);
void reader_release(struct reader *rd);
/* File offset of the next record. */
uint64_t reader_position(const struct reader *rd);
/* 1: *raw is valid until the next call (its owner can be held for longer); 0: the end. */
int reader_next(struct reader *rd, struct raw_record *raw);
/* Passes the samples that follow the record delivered last in a mapped file, up to so many bytes,
 * without delivering them. Returns their bytes. The record delivered last must not be expanded. */
size_t reader_samples(struct reader *rd, size_t most);
/* Passes the samples that follow the record delivered last in a mapped file, while their times do
 * not fall. That record is a sample of time a->time. Returns their bytes. Each passed sample has an
 * event and the fixed fields of the layout. */
size_t reader_ascending(struct reader *rd, struct ascending *a);
/* The most bytes of one call of reader_ascending(): its samples wait for their turn in memory. */
#define READER_ASCENDING (128 * 1024)
/* The first run of the time index that begins at or behind the next record; NULL: there is none. */
const struct time_run *reader_run(struct reader *rd);
/* True when the next record is the first of that run. */
bool reader_at_run(const struct reader *rd, const struct time_run *run);
/* Passes the run unread; reader_read_run() notes that it is going to be read. The next record must
 * be its first. */
void reader_pass_run(struct reader *rd, const struct time_run *run);
/* After reader_pass_run: passes a record without content, unread, when all that stands before the
 * next run is one. */
bool reader_pass_empty(struct reader *rd, const struct time_run *passed);
void reader_read_run(struct reader *rd, const struct time_run *run);

/* damage.c: the distance from p to the next place where a record can begin; n when none
 * is found. */
size_t damage_skip(const struct recording *rec, const uint8_t *p, size_t n);
/* True when a record may begin at p, of which n bytes are there. */
bool damage_plausible(const struct recording *rec, const uint8_t *p, size_t n);

#endif
