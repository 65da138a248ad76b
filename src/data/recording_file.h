/* SPDX-License-Identifier: MIT */
/*
 * What recording, reader and source share and nobody else sees.
 */
#ifndef DATA_RECORDING_FILE_H
#define DATA_RECORDING_FILE_H

#include "data/extension/checksum.h"
#include "data/extension/time_index.h"
#include "data/input.h"
#include "data/recording.h"

struct recording_file {
	struct input in;
	VEC(struct input) parts; /* of a directory: data.0, data.1, ... */
	uint64_t taken; /* definitions in the stream before this offset are taken already */
	uint64_t counted;	 /* losses in the stream before this offset are counted already */
	struct checksum_table sums;
	uint64_t checked;	 /* that many of its chunks have been looked at, or passed unread */
	struct time_runs times;	 /* none: there is no index, or no map */
	uint64_t skipped,
		wanted; /* where the runs end that were passed unread, and that were read */
	bool counted_samples;	 /* a source has already counted what cannot be decoded of them */
	bool counted_side_band;	 /* the same of all other records */
	bool counted_order;	 /* and what came too late */
	bool features_guessed;	 /* the bit map made no sense in any byte order */
	bool pipe_used;		 /* standard input can be read once */
	struct buf scratch;
	char *path;
};

/* definitions.c: takes a record that defines something about the whole (attributes, features,
 * formats, names) into the recording. formats are those of TRACING_DATA, or NULL. */
void recording_take(struct recording *rec, const struct record *r, const uint8_t *formats,
		    size_t formats_size);
bool recording_defines(uint32_t type);

/* attrs.c: adds an event for an attribute as it stands in the file. */
struct event *recording_add_attr(struct recording *rec, const uint8_t *p, uint32_t size);
/* When formats have come: the names of tracepoint events. */
void recording_name_tracepoints(struct recording *rec);

/* Tracing data that stood among the records: becomes the header's feature, and what follows. */
void recording_take_tracing_data(struct recording *rec, const uint8_t *p, size_t n,
				 uint64_t offset);
/* The tracing data: formats of tracepoints, names of events. */
void recording_take_formats(struct recording *rec, const uint8_t *p, size_t n, uint64_t offset);

#endif
