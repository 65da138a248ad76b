/* SPDX-License-Identifier: MIT */
/*
 * Records of Android's simpleperf. Its own types begin at 32768. A record of more than 64 KiB is in
 * the file as SPLIT records, each with a piece of it, and a SPLIT_END without content; together the
 * pieces are the record, whose header has the upper 16 bits of the size in place of misc.
 */
#ifndef DATA_SIMPLEPERF_H
#define DATA_SIMPLEPERF_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

enum simpleperf_type {
	SIMPLEPERF_FIRST = 32768,
	SIMPLEPERF_SPLIT = 32772,
	SIMPLEPERF_SPLIT_END = 32773,
	SIMPLEPERF_TRACING_DATA = 32777,
	SIMPLEPERF_MAX_EVER =
		SIMPLEPERF_FIRST + 256, /* types above are taken as damage, not as future types */
};

static inline bool simpleperf_type(uint32_t type)
{
	return type >= SIMPLEPERF_FIRST && type < SIMPLEPERF_MAX_EVER;
}

/* A record that is put together from its pieces. Pieces of a type that nobody reads are only
 * counted. */
struct split_record {
	bool begun, bad;
	uint32_t type; /* of the record */
	uint64_t size, got;
	struct buf bytes; /* the record with its header, for TRACING_DATA; else empty */
};

/* Adds a SPLIT record's content. */
void split_add(struct split_record *s, bool swap, const uint8_t *p, size_t n);
/* At a SPLIT_END: true when the record is whole. Its bytes stay until split_release. */
bool split_end(struct split_record *s);
void split_release(struct split_record *s);

/* The formats in a TRACING_DATA record of n bytes, header included; NULL: it is damaged. */
const uint8_t *simpleperf_formats(const uint8_t *p, size_t n, bool swap, uint32_t *size);

#endif
