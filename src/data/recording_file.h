/* SPDX-License-Identifier: MIT */
/*
 * The private state that recording, reader and source share.
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
	uint64_t checked;	 /* the first chunks of sums, so many, were checked or passed
				  * unread */
	struct time_runs times;	 /* empty: there is no index, or the file is not mapped */
	uint64_t skipped,
		wanted; /* the ends of the last run that was passed unread, and of the last that was
			 * read */
	bool counted_samples;	 /* a source has already counted samples that cannot be decoded */
	bool counted_side_band;	 /* ... and all other records that cannot be decoded */
	bool counted_order;	 /* ... and records out of order */
	bool features_guessed;	 /* the feature bit map made no sense in any byte order */
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
/* Names the tracepoint events, once formats are known. */
void recording_name_tracepoints(struct recording *rec);

/* Takes tracing data that came as a record: keeps it as the header's feature, and takes its
 * formats. */
void recording_take_tracing_data(struct recording *rec, const uint8_t *p, size_t n,
				 uint64_t offset);
/* Takes the formats of tracing data, and names the tracepoint events. */
void recording_take_formats(struct recording *rec, const uint8_t *p, size_t n, uint64_t offset);

#endif
