// SPDX-License-Identifier: MIT
#include "data/source/batch.h"
#include "data/feature/feature.h"
#include "data/source/order.h"
#include "data/recording_file.h"

/* How many bytes a span has, about. */
#define SPAN_SIZE (2 * 1024 * 1024)

/* How much may wait for its turn in memory. */
#define ORDER_MEMORY (1ull << 30)

struct source {
	struct recording *rec;
	enum source_mode mode;
	struct reader reader;
	struct order order;
	struct buf scratch;
	bool ordered;	/* records are put in order at all */
	bool draining;	/* up to limit */
	bool round;	/* draining ends a round */
	bool end;	/* the reader has no more */
	bool counts_samples, counts_side_band, counts_order; /* it is the first to see these records */
	uint64_t limit;
	bool (*wanted)(const void *ctx, uint64_t from, uint64_t to); /* times of samples; NULL: any */
	const void *wanted_ctx;
	bool rounds_unwanted;
	void (*seen)(void *ctx, const struct span *samples); /* of samples that are passed; NULL: nobody */
	void *seen_ctx;
	struct raw_record ahead; /* read for a span that it did not fit into, or a definition that waits */
	bool has_ahead;
	bool definitions_wait; /* until they are asked for */
};

struct source *source_open(struct recording *rec, enum source_mode mode, struct err *err)
{
	struct source *src;

	if (!rec->file->in.map && !rec->file->in.seekable) {
		if (rec->file->pipe_used) {
			err_set(err, ERR_INPUT, "a pipe can be read only once");
			return NULL;
		}
		rec->file->pipe_used = true;
	}
	src = NEW(struct source);
	src->rec = rec;
	src->mode = mode;
	reader_init(&src->reader, rec);
	if (mode != SOURCE_SAMPLES && !rec->file->counted_side_band)
		src->counts_side_band = rec->file->counted_side_band = true;
	if (mode != SOURCE_SIDE_BAND && !rec->file->counted_samples)
		src->counts_samples = rec->file->counted_samples = true;
	/* without ids in all records, samples alone have times: then perf keeps the file's order */
	src->ordered = (mode == SOURCE_ORDERED || mode == SOURCE_SIDE_BAND) &&
		       (rec->is_pipe || rec->m.sample_id_all);
	if (src->ordered && !rec->file->counted_order)
		src->counts_order = rec->file->counted_order = true;
	return src;
}

void source_free(struct source *src)
{
	if (!src)
		return;
	order_release(&src->order);
	reader_release(&src->reader);
	buf_release(&src->scratch);
	free(src);
}

/* No type of record that has content has less of it. */
#define RECORD_LEAST 8

/* Decodes what is to be delivered: false when it cannot be, which is counted. */
static bool decode(const struct source *src, const struct batch_record *at, struct buf *scratch,
		   struct losses *losses, struct record *r)
{
	struct record_decode how = measurement_decode(&src->rec->m, scratch);
	bool bad = record_decode(&how, at->p, at->size, r);
	enum loss_kind lost = LOSS_KINDS;

	r->offset = at->offset;
	r->part = at->part;
	r->seq = at->seq;
	if (bad && r->header.size < sizeof(r->header) + RECORD_LEAST)
		lost = LOSS_EMPTY;
	else if (!r->event && r->header.type < RECORD_HEADER_ATTR && src->rec->m.events.events.n)
		lost = LOSS_UNKNOWN_EVENT;
	else if (bad)
		lost = LOSS_CORRUPT;
	if (!(r->header.type == RECORD_SAMPLE ? src->counts_samples : src->counts_side_band))
		return !bad;
	if (r->excess)
		losses_add(losses, LOSS_CORRUPT, 1, at->offset);
	if (lost != LOSS_KINDS)
		losses_add(losses, lost, 1, at->offset);
	return !bad;
}

static struct batch_record batch_record(const struct raw_record *raw)
{
	return (struct batch_record){.p = raw->p, .offset = raw->offset, .seq = raw->seq,
				     .part = raw->part, .size = raw->header.size};
}

static bool source_decode(struct source *src, const struct raw_record *raw, struct record *r)
{
	const struct batch_record at = batch_record(raw);
	bool good = decode(src, &at, &src->scratch, &src->rec->m.losses, r);

	if (raw->following) {
		r->blob.following = raw->following;
		r->blob.follows = raw->blob;
	}
	return good;
}

bool batch_decode(struct batch_decoder *d, const struct batch_record *at, struct record *r)
{
	return decode(d->src, at, &d->scratch, &d->losses, r);
}

static bool source_wants(const struct source *src, uint32_t type)
{
	switch (src->mode) {
	case SOURCE_SIDE_BAND:
		return type != RECORD_SAMPLE;
	case SOURCE_SAMPLES:
		return type == RECORD_SAMPLE;
	default:
		return true;
	}
}

/* A record that defines something: taken once, however often the file is read. */
static void source_define(struct source *src, const struct raw_record *raw)
{
	struct recording_file *file = src->rec->file;
	const struct batch_record at = batch_record(raw);
	struct losses delivered = {0}, *losses = &src->rec->m.losses;
	struct record r;

	if (!recording_defines(raw->header.type) || raw->seq < file->taken)
		return;
	file->taken = raw->seq + 1;
	if (simpleperf_type(raw->header.type)) {
		if (raw->blob)
			recording_take_tracing_data(src->rec, raw->blob, raw->blob_size, raw->offset);
		return;
	}
	/* what is delivered is decoded once more, and counts then */
	if (source_wants(src, raw->header.type))
		losses = &delivered;
	if (decode(src, &at, &src->scratch, losses, &r))
		recording_take(src->rec, &r, raw->blob, raw->blob_size);
}

/* True when the record has to wait for its turn. */
static bool source_queue(struct source *src, const struct raw_record *raw)
{
	struct record_decode how = measurement_decode(&src->rec->m, &src->scratch);
	uint64_t time;

	if (!src->ordered || !record_raw_time(&how, raw->p, raw->header.size, &time))
		return false;
	if (time < src->order.last_flush && src->counts_order)
		losses_add(&src->rec->m.losses, LOSS_ORDER, 1, raw->offset);
	if (src->wanted && raw->header.type == RECORD_SAMPLE && !src->wanted(src->wanted_ctx, time, time)) {
		order_pass(&src->order, time);
		return true;
	}
	order_put(&src->order, raw, time);
	/* what a pipe or a compressed file held waits in memory: without rounds, that has to end */
	if (src->order.bytes > ORDER_MEMORY) {
		src->draining = true;
		src->limit = order_middle(&src->order);
	}
	return true;
}

/* The next record that waits and may go. */
static bool source_drain(struct source *src, struct raw_record *raw)
{
	struct record_decode how = measurement_decode(&src->rec->m, &src->scratch);

	if (!src->draining)
		return false;
	if (order_take(&src->order, &how, src->limit, raw))
		return true;
	src->draining = false;
	if (src->round)
		order_round_done(&src->order);
	src->round = false;
	return false;
}

static void source_round(struct source *src)
{
	src->round = true;
	src->draining = true;
	if (!order_round(&src->order, &src->limit)) {
		order_round_done(&src->order);
		src->round = src->draining = false;
	}
}

static bool unwanted(const struct source *src, const struct time_run *run)
{
	/* what came too late is counted one by one */
	return !src->wanted(src->wanted_ctx, run->least, run->greatest) &&
	       !(src->mode == SOURCE_ORDERED && run->least < src->order.last_flush && src->counts_order);
}

/* May the recorder's index be used? */
static bool skips(const struct source *src)
{
	return src->wanted && src->rec->file->times.runs.n && src->mode != SOURCE_FILE_ORDER &&
	       (src->mode != SOURCE_ORDERED || src->ordered);
}

/* Passes the runs of samples that stand here and that nobody wants. */
static void source_skip(struct source *src)
{
	const struct time_run *run;

	if (!skips(src))
		return;
	while ((run = reader_run(&src->reader)) && reader_at_run(&src->reader, run)) {
		if (!unwanted(src, run)) {
			reader_read_run(&src->reader, run);
			return;
		}
		reader_pass_run(&src->reader, run);
		if (src->mode == SOURCE_ORDERED)
			order_pass_run(&src->order, run);
		/* the end of a round, which sends nothing on: read, it would cost a page of the file */
		if (src->rounds_unwanted && !src->order.heap.n && reader_pass_empty(&src->reader, run))
			order_round_done(&src->order);
	}
}

/* Passes samples that need not be delivered one by one, up to a run that nobody wants: how many bytes. */
static size_t source_samples(struct source *src, size_t most)
{
	const struct recording_file *file = src->rec->file;
	const struct time_run *run = skips(src) ? reader_run(&src->reader) : NULL;
	uint64_t at = reader_position(&src->reader);

	most = MIN(most, SPAN_SIZE);
	for (; run && run < file->times.runs.at + file->times.runs.n && run->offset - at < most; run++) {
		if (unwanted(src, run))
			most = (size_t)(run->offset - at);
		else
			reader_read_run(&src->reader, run);
	}
	return reader_samples(&src->reader, most);
}

/* Would source_skip pass something now? */
static bool source_at_unwanted(struct source *src)
{
	const struct time_run *run = skips(src) && !src->has_ahead ? reader_run(&src->reader) : NULL;

	return run && reader_at_run(&src->reader, run) && unwanted(src, run);
}

/* This one that isn't wanted, and all that follow it. */
static void source_pass_samples(struct source *src, const struct raw_record *raw)
{
	size_t n = raw->header.size;

	if (!raw->expanded)
		n += source_samples(src, SIZE_MAX);
	if (src->seen)
		src->seen(src->seen_ctx, &(struct span){.p = raw->p, .n = n, .offset = raw->offset, .seq = raw->seq});
}

/* The next record as it stands. False at the end, which the next call goes beyond: what waits is then to be drained. */
static bool source_read(struct source *src, struct raw_record *raw)
{
	if (src->has_ahead) {
		*raw = src->ahead;
		src->has_ahead = false;
		return true;
	}
	source_skip(src);
	if (reader_next(&src->reader, raw))
		return true;
	src->end = true;
	src->draining = src->ordered;
	src->limit = UINT64_MAX;
	return false;
}

enum pulled { PULLED_NOTHING, PULLED_RECORD, PULLED_DEFINITION };

/* The next record in the source's order. */
static enum pulled source_pull(struct source *src, struct raw_record *raw)
{
	for (;;) {
		if (source_drain(src, raw))
			return PULLED_RECORD;
		if (src->end)
			return PULLED_NOTHING;
		if (!source_read(src, raw))
			continue;
		if (src->definitions_wait && recording_defines(raw->header.type) &&
		    raw->seq >= src->rec->file->taken) {
			src->ahead = *raw;
			src->has_ahead = true;
			return PULLED_DEFINITION;
		}
		source_define(src, raw);
		if (!source_wants(src, raw->header.type)) {
			if (raw->header.type == RECORD_SAMPLE)
				source_pass_samples(src, raw);
			continue;
		}
		if (source_queue(src, raw))
			continue;
		if (src->ordered && raw->header.type == RECORD_FINISHED_ROUND)
			source_round(src);
		return PULLED_RECORD;
	}
}

int source_next(struct source *src, struct record *r, struct err *err)
{
	struct raw_record raw;

	(void)err;
	while (source_pull(src, &raw) == PULLED_RECORD)
		if (source_decode(src, &raw, r))
			return 1;
	return 0;
}

/* Records of several batches are still being used. */
#define BATCHES_BEHIND (16u * 1024 * 1024)

int source_next_batch(struct source *src, struct batch *b, size_t bytes, struct err *err)
{
	enum pulled got = PULLED_RECORD;
	struct raw_record raw;
	struct record_header h;

	(void)err;
	src->definitions_wait = true;
	src->reader.behind = BATCHES_BEHIND;
	while (b->bytes < bytes && (got = source_pull(src, &raw)) == PULLED_RECORD) {
		struct batch_record at = batch_record(&raw);

		memcpy(&h, raw.p, sizeof(h));
		at.type = src->rec->m.swap ? __builtin_bswap32(h.type) : h.type;
		vec_add(&b->records, at);
		b->bytes += at.size;
		if (raw.chunk && (!b->chunks.n || *vec_last(&b->chunks) != raw.chunk)) {
			chunk_hold(raw.chunk);
			vec_add(&b->chunks, raw.chunk);
		}
	}
	return got != PULLED_NOTHING || b->records.n;
}

void source_take_definitions(struct source *src)
{
	if (src->has_ahead)
		source_define(src, &src->ahead);
}

void source_want_times(struct source *src, bool (*wanted)(const void *ctx, uint64_t from, uint64_t to),
		       const void *ctx)
{
	src->wanted = wanted;
	src->wanted_ctx = ctx;
}

uint64_t source_wanted_bytes(const struct source *src)
{
	const struct time_runs *t = &src->rec->file->times;
	uint64_t bytes = src->rec->file_data_size;

	for (size_t i = 0; skips(src) && i < t->runs.n; i++)
		if (!src->wanted(src->wanted_ctx, t->runs.at[i].least, t->runs.at[i].greatest))
			bytes -= MIN(bytes, t->runs.at[i].size);
	return bytes;
}

void source_pass_rounds(struct source *src)
{
	src->rounds_unwanted = src->mode == SOURCE_ORDERED;
}

void source_show_samples(struct source *src, void (*seen)(void *ctx, const struct span *samples), void *ctx)
{
	src->seen = seen;
	src->seen_ctx = ctx;
}

void source_keep_following(struct source *src)
{
	src->reader.keep_following = true;
}

int source_next_span(struct source *src, struct span *span, struct err *err)
{
	struct raw_record raw;

	(void)err;
	*span = (struct span){0};
	while (span->n < SPAN_SIZE) {
		if (!src->has_ahead && !span->p)
			source_skip(src);
		if (src->has_ahead)
			raw = src->ahead;
		else if (!reader_next(&src->reader, &raw))
			break;
		src->has_ahead = false;
		source_define(src, &raw);
		if (!span->p) {
			*span = (struct span){.p = raw.p, .offset = raw.offset, .seq = raw.seq,
					      .owner = raw.chunk, .input = src->reader.in};
			chunk_hold(raw.chunk);
		} else if (raw.p != span->p + span->n || raw.chunk != span->owner) {
			/* it begins the next span: held, since reading on may not be needed for it */
			src->ahead = raw;
			src->has_ahead = true;
			break;
		}
		span->n += raw.header.size;
		if (raw.header.type == RECORD_SAMPLE && !raw.expanded && span->n < SPAN_SIZE)
			span->n += source_samples(src, SPAN_SIZE - span->n);
		if (source_at_unwanted(src))
			break;
	}
	return span->p != NULL;
}

void span_release(struct span *span)
{
	if (!span->owner && span->input)
		input_passed(span->input, span->offset, span->offset + span->n);
	chunk_drop(span->owner);
	*span = (struct span){0};
}

/* -- batches -- */

void batch_clear(struct batch *b)
{
	for (size_t i = 0; i < b->chunks.n; i++)
		chunk_drop(b->chunks.at[i]);
	vec_clear(&b->chunks);
	vec_clear(&b->records);
	b->bytes = 0;
}

void batch_release(struct batch *b)
{
	batch_clear(b);
	vec_release(&b->chunks);
	vec_release(&b->records);
}

void batch_decoder_release(struct batch_decoder *d)
{
	buf_release(&d->scratch);
}
