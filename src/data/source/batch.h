/* SPDX-License-Identifier: MIT */
/*
 * Records in the order of a source, many at once and undecoded: for code that must see them in
 * order, but leaves the decoding of samples to several threads.
 *
 *   struct batch_reader rd = {.src = src};
 *   struct batch b = {0};
 *   while ((got = batch_next(&rd, &b, bytes, &err)) > 0) {
 *           batch_take_definition(&rd);
 *           ... batch_decode() for each of b.records, by any thread with a decoder of its own
 *           batch_clear(&b);
 *   }
 *
 * The bytes stay until batch_clear. A record that defines events and the like ends a batch: what it
 * says is taken between two batches, so that other threads may use the measurement meanwhile.
 */
#ifndef DATA_BATCH_H
#define DATA_BATCH_H

#include "data/source/source_ops.h"

struct batch_record {
	const uint8_t *p;
	uint64_t offset, seq;
	uint32_t part; /* these as in struct record */
	uint32_t type;
	uint16_t size;
};

/* All zero is valid and empty. */
struct batch {
	VEC(struct batch_record) records;
	size_t bytes;			   /* of them */
	VEC(struct shared_bytes *) owners; /* private: of the bytes that are not the file's */
};
void batch_clear(struct batch *b);
void batch_release(struct batch *b);

/* True when the source has undecoded records, which is what batches are made of. */
bool source_has_batches(const struct source *src);

struct batch_reader {
	struct source *src;
	struct raw_record definition; /* private: it ended the last batch */
	bool has_definition;
};
/* Adds records until there are so many bytes, or a definition comes. 1; 0: there are no more; -1:
 * *err says why. */
int batch_next(struct batch_reader *rd, struct batch *b, size_t bytes, struct err *err);
void batch_take_definition(struct batch_reader *rd);

/* One thread's. */
struct batch_decoder {
	const struct source *src;
	struct buf scratch;
	struct losses losses; /* what could not be decoded: to be added to the measurement's */
};
/* *r is valid until the next call, and as long as the batch. False: it cannot be decoded. */
bool batch_decode(struct batch_decoder *d, const struct batch_record *at, struct record *r);
void batch_decoder_release(struct batch_decoder *d);

#endif
