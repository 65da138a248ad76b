/* SPDX-License-Identifier: MIT */
/*
 * Records in the order of a source, many at once and undecoded: for those who must see them in order, but leave the
 * decoding of samples to several threads.
 *
 *   struct batch b = {0};
 *   while ((got = source_next_batch(src, &b, bytes, &err)) > 0) {
 *           source_take_definitions(src);
 *           ... batch_decode() for each of b.records, by any thread with a decoder of its own
 *           batch_clear(&b);
 *   }
 *
 * The bytes stay until batch_clear. Records that define events and the like, which the recording then has, are not taken
 * while a batch is made but in between, so that another thread may use the recording meanwhile.
 */
#ifndef DATA_BATCH_H
#define DATA_BATCH_H

#include "data/recording.h"

struct chunk;

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
	size_t bytes;		    /* of them */
	VEC(struct chunk *) chunks; /* private: what holds the bytes that are not the file's */
};
void batch_clear(struct batch *b);
void batch_release(struct batch *b);

/* Adds records until there are so many bytes, or a definition comes. 1; 0: there are no more; -1: *err says why. */
int source_next_batch(struct source *src, struct batch *b, size_t bytes, struct err *err);
void source_take_definitions(struct source *src);

/* One thread's. */
struct batch_decoder {
	const struct source *src;
	struct buf scratch;
	struct losses losses; /* what could not be decoded: to be added to the recording's */
};
/* *r is valid until the next call, and as long as the batch. False: it cannot be decoded. */
bool batch_decode(struct batch_decoder *d, const struct batch_record *at, struct record *r);
void batch_decoder_release(struct batch_decoder *d);

#endif
