/* SPDX-License-Identifier: MIT */
/* The state of a sink, private to its files: sink.c (records), sink_header.c (the header before
 * them), sink_end.c (the tables after them, at checkpoints and at the end). */
#ifndef DATA_SINK_STATE_H
#define DATA_SINK_STATE_H

#include "data/extension/checksum.h"
#include "data/extension/time_index.h"
#include "data/sink.h"
#include "data/sink/sink_out.h"
#include "data/sink/sink_zip.h"

/* The file header: tools/perf's perf.data-file-format. */
struct file_header {
	uint64_t magic, size, attr_size;
	struct {
		uint64_t offset, size;
	} attrs, data, event_types;
	uint64_t features[4];
};
_Static_assert(sizeof(struct file_header) == 104, "the format's size");
struct section {
	uint64_t offset, size;
};
#define MAGIC 0x32454c4946524550ull /* "PERFILE2" */

struct stored {
	void *p; /* NULL: not given */
	size_t n;
	uint64_t offset; /* in the file, 0: not written yet */
};

/* A number of samples up to an offset in the file (checkpoints), or since the mark before
 * (batches). */
struct sample_mark {
	uint64_t end, samples;
};

/* Bytes that a file with a maximal size reserves for the LOST_SAMPLES record. */
#define LOST_ROOM 80

struct sink {
	struct sink_out out;
	struct sink_zip *zip;
	struct buf gathered; /* bytes to be compressed: small pieces don't compress well */
	struct buf staged;   /* compressed records */
	struct stored features[FEATURE_MAX];
	struct file_header header;
	bool pipe, begun, started; /* started: the data section has begun */
	bool failed;		   /* nothing more is taken */
	bool ended;
	int level;
	uint64_t max_size;
	unsigned int spare_ids;
	VEC(size_t) id_room; /* of each event */
	uint64_t synced;	/* out.pos after the last sync */
	uint64_t checkpoint;	/* where the last checkpoint began */
	VEC(struct sample_mark)
	checkpoints;		/* the last that is known to be written, and those after it */
	uint64_t plain, packed; /* bytes that went into compression, and came out */
	struct checksum sums;	/* of a file's data */
	struct time_index times; /* the same, unless it is compressed */
	VEC(struct sample_mark) batches; /* batches that were compressed at once, since the first
					  * checkpoint in the list */
	uint64_t samples, missing; /* samples that were put, and those of them that are not in the
				    * file */
	bool cut;		   /* some records that were put are not in the file */
	struct buf lost;	   /* the record that ends the file then */
};

/* sink.c */
/* Appends to the data. After a failure all later calls fail. */
int sink_write(struct sink *s, const void *a, size_t a_len, const void *b, size_t b_len,
	       struct err *err);
/* Compresses and writes the gathered records. 0, SINK_FULL or -1 with *err. */
int sink_compress(struct sink *s, struct err *err);

/* sink_header.c */
/* Stores the feature COMPRESSED, which readers need before they can decompress; its ratio is known
 * at the end. */
int sink_store_compression(struct sink *s, struct err *err);
/* Begins the data section: writes the features known so far in front of it. */
int sink_start_data(struct sink *s, struct err *err);

static inline void sink_add_header(struct buf *b, uint32_t type, size_t size)
{
	struct record_header h = {.type = type, .size = (uint16_t)size};

	buf_add(b, &h, sizeof(h));
}

#endif
