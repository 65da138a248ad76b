/* SPDX-License-Identifier: MIT */
/*
 * Batches: undecoded records in the order of a source, for code that needs that order but decodes
 * samples in several threads.
 *
 *   struct batch_reader rd = {.src = src};
 *   struct batch b = {0};
 *   while ((got = batch_next(&rd, &b, bytes, &err)) > 0) {
 *           batch_take_definition(&rd);
 *           ... batch_decode() for each of b.records, by any thread with a decoder of its own
 *           batch_clear(&b);
 *   }
 *
 * The bytes of records stay until batch_clear. A record that defines something (an event, a format)
 * ends a batch: it is taken into the measurement between two batches, so that other threads may
 * read the measurement meanwhile.
 */
#ifndef DATA_BATCH_H
#define DATA_BATCH_H

#include "data/source/source_ops.h"

struct batch_record {
	const uint8_t *p;
	uint64_t offset, seq;
	uint32_t part; /* the three as in struct record */
	uint32_t type;
	uint16_t size;
};

/* All zero is valid and empty. */
struct batch {
	VEC(struct batch_record) records;
	size_t bytes;			   /* of them */
	VEC(struct shared_bytes *) owners; /* private: of bytes that are not the file's */
};
void batch_clear(struct batch *b);
void batch_release(struct batch *b);

/* True when the source delivers undecoded records, which batches consist of. */
bool source_has_batches(const struct source *src);

struct batch_reader {
	struct source *src;
	struct raw_record definition; /* private: it ended the last batch */
	bool has_definition;
};
/* Adds records until the batch has so many bytes, or a definition comes. 1: there are records; 0:
 * the end; -1: *err. */
int batch_next(struct batch_reader *rd, struct batch *b, size_t bytes, struct err *err);
void batch_take_definition(struct batch_reader *rd);

/* Each decoding thread has one of its own. */
struct batch_decoder {
	const struct source *src;
	struct buf scratch;
	struct losses losses; /* the caller adds them to the measurement's */
};
/* *r is valid until the next call with this decoder, and as long as the batch. False: it cannot be
 * decoded. */
bool batch_decode(struct batch_decoder *d, const struct batch_record *at, struct record *r);
void batch_decoder_release(struct batch_decoder *d);

#endif
