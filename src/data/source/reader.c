// SPDX-License-Identifier: MIT
#include "data/source/reader.h"

#include "base/cursor.h"
#include "data/recording_file.h"

/* Bytes of a pipe that are read at once. Several of the largest records fit. */
#define READER_CHUNK (1024 * 1024)
/* Bytes that are searched at once for a record after damage. */
#define READER_SEARCH (256 * 1024)
/* Bytes that are decompressed at once. */
#define READER_EXPAND (512 * 1024)
/*
 * Bounds for decompression, against input that was made to fill memory. A side-band record takes at
 * least two compressed bytes (its time alone takes more), a sample without a time a quarter of a
 * byte, a stack dump a 4096th of its size.
 */
#define EXPANDED_RECORDS 100000
#define SAMPLES_A_RECORD 8
#define EXPANDED_BYTES	 (16u << 20)
#define EXPANDED_RATIO	 4096
/* Bytes between two reports of progress. */
#define READER_TELLS (256 * 1024)
/* The largest tracing data that is read from a pipe, bytes. */
#define TRACING_DATA_MAX (256u << 20)
/* The largest part of a processor's trace that is read from a pipe: what an AUX ring may hold. */
#define AUXTRACE_MAX (1u << 30)

static void reader_open_part(struct reader *rd)
{
	struct recording_file *file = rd->rec->file;

	shared_bytes_drop(rd->outer.owner);
	rd->outer = (struct unread){0};
	if (!rd->part) {
		rd->in = &file->in;
		rd->at = MIN(rd->rec->data_offset, rd->in->size);
		rd->end = rd->rec->is_pipe ? rd->in->size
					   : position_after(rd->at, rd->rec->file_data_size);
	} else {
		rd->in = &file->parts.at[rd->part - 1];
		rd->at = 0;
		rd->end = rd->in->size;
	}
	if (rd->end > rd->in->size)
		rd->end = rd->in->size;
	rd->passed = rd->told = rd->at;
	if (rd->in->map && rd->at < rd->end) {
		rd->outer.p = rd->in->map + rd->at;
		rd->outer.end = rd->in->map + rd->end;
	}
}

void reader_init(struct reader *rd, struct recording *rec)
{
	*rd = (struct reader){.rec = rec, .behind = READER_BEHIND};
	reader_open_part(rd);
}

void reader_release(struct reader *rd)
{
	shared_bytes_drop(rd->outer.owner);
	shared_bytes_drop(rd->inner.owner);
	ZSTD_freeDCtx(rd->zstd);
	split_release(&rd->split);
	*rd = (struct reader){0};
}

/* Makes n bytes at the outer position available; returns how many there are, fewer only at
 * the end. */
static size_t reader_need(struct reader *rd, size_t n)
{
	size_t have = (size_t)(rd->outer.end - rd->outer.p), room;
	struct shared_bytes *c = rd->outer.owner;

	if (have >= n || rd->in->map || rd->end - rd->at <= have)
		return have;
	/* records point into the buffer, so it must not move: read on behind them, or begin
	 * another */
	if (!c || c->cap - c->n < n - have) {
		struct shared_bytes *old = c;

		c = shared_bytes_new(MAX(n, READER_CHUNK));
		if (have)
			memcpy(c->at, rd->outer.p, have);
		c->n = have;
		rd->outer.owner = c;
		rd->outer.p = c->at;
		shared_bytes_drop(old);
	}
	room = (size_t)MIN(c->cap - c->n, rd->end - rd->at - have);
	c->n += input_read(rd->in, rd->at + have, c->at + c->n, MIN(n - have, room), room);
	rd->outer.end = c->at + c->n;
	return (size_t)(rd->outer.end - rd->outer.p);
}

/* True when these bytes are read for the first time: then their damage counts. */
static bool reader_counts(const struct reader *rd, uint64_t offset)
{
	return rd->part || offset >= rd->rec->file->counted;
}

/* Losses are counted on the first pass over them only. */
static void reader_lost(struct reader *rd, enum loss_kind kind, uint64_t amount, uint64_t offset)
{
	if (reader_counts(rd, offset))
		losses_add(&rd->rec->m.losses, kind, amount, offset);
}

/* Verifies the checksums of chunks that were passed, once, while they are in memory. A chunk of
 * which only side-band was read is not verified. */
static void check_sums(struct reader *rd)
{
	struct recording_file *file = rd->rec->file;
	const struct checksum_table *t = &file->sums;
	uint64_t passed = rd->at - t->offset, from = file->checked * t->chunk;

	while (from < t->size && (passed >= from + t->chunk || passed >= t->size)) {
		const uint8_t *p = rd->in->map + t->offset + from;

		bool unread = file->skipped > t->offset + from && file->wanted <= t->offset + from;

		if (!unread &&
		    !checksum_holds(t, file->checked, p, (size_t)MIN(t->chunk, t->size - from)))
			losses_add(&rd->rec->m.losses, LOSS_CHECKSUM, 1, t->offset + from);
		file->checked++;
		from += t->chunk;
	}
}

/* The bytes of the parts before the current one; *all: of all parts, 0 when unknown. */
static uint64_t parts_before(const struct reader *rd, uint64_t *all)
{
	const struct recording *rec = rd->rec;
	uint64_t before = 0;

	*all = rec->is_pipe ? rec->file->in.size : rec->file_data_size;
	if (*all == UINT64_MAX) /* of a pipe */
		*all = 0;
	for (size_t i = 0; i < rec->file->parts.n; i++) {
		if (i + 1 == rd->part)
			before = *all;
		*all += rec->file->parts.at[i].size;
	}
	return before;
}

static void tell_progress(const struct reader *rd, bool ended)
{
	uint64_t all, before = parts_before(rd, &all);

	if (ended)
		recording_progress(rd->rec, 1, 1);
	else
		recording_progress(rd->rec, before + rd->at - (rd->part ? 0 : rd->rec->data_offset),
				   all);
}

static void advanced(struct reader *rd)
{
	struct recording_file *file = rd->rec->file;

	if (!rd->part && rd->at > file->counted) {
		file->counted = rd->at;
		if (file->sums.chunk)
			check_sums(rd);
	}
	/* bytes far behind the last record are hardly read again */
	if (rd->at - rd->passed > rd->behind + READER_BEHIND) {
		input_passed(rd->in, rd->passed, rd->at - rd->behind);
		rd->passed = rd->at - rd->behind;
	}
	if (rd->at - rd->told >= READER_TELLS) {
		rd->told = rd->at;
		tell_progress(rd, false);
	}
}

static void reader_advance(struct reader *rd, uint64_t n)
{
	uint64_t have = (uint64_t)(rd->outer.end - rd->outer.p);

	/* in a pipe the bytes to pass over may not have been read yet */
	while (n > have && !rd->in->map) {
		rd->at += have;
		n -= have;
		rd->outer.p = rd->outer.end;
		have = reader_need(rd, n < READER_CHUNK ? (size_t)n : READER_CHUNK);
		if (!have)
			return;
	}
	if (n > have)
		n = have;
	if (n) /* there may be no bytes at all, at no address */
		rd->outer.p += n;
	rd->at += n;
	advanced(rd);
}

static uint64_t reader_u64(const struct recording *rec, const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return rec->m.swap ? __builtin_bswap64(v) : v;
}

static struct record_header reader_header(const struct recording *rec, const uint8_t *p)
{
	struct record_header h;

	memcpy(&h, p, sizeof(h));
	if (rec->m.swap) {
		h.type = __builtin_bswap32(h.type);
		h.misc = __builtin_bswap16(h.misc);
		h.size = __builtin_bswap16(h.size);
	}
	return h;
}

static bool counts_lost(const struct recording *rec)
{
	for (size_t i = 0; i < rec->m.events.events.n; i++)
		if (rec->m.events.events.at[i]->attr.read_format & READ_LOST)
			return true;
	return false;
}

static bool type_is_read(uint32_t type)
{
	return record_type_name(type) || type == SIMPLEPERF_SPLIT || type == SIMPLEPERF_SPLIT_END ||
	       type == SIMPLEPERF_TRACING_DATA;
}

/* Counts the losses that the record reports. */
static void reader_note(struct reader *rd, const struct raw_record *raw)
{
	const uint8_t *p = raw->p + sizeof(raw->header);
	size_t n = raw->header.size - sizeof(raw->header);

	switch (raw->header.type) {
	case RECORD_LOST:
		if (n >= 16)
			reader_lost(rd, LOSS_EVENTS, reader_u64(rd->rec, p + 8), raw->offset);
		break;
	case RECORD_LOST_SAMPLES:
		if (n >= 8)
			reader_lost(rd, LOSS_SAMPLES, reader_u64(rd->rec, p), raw->offset);
		rd->rec->m.losses.samples_counted |= counts_lost(rd->rec);
		break;
	case RECORD_THROTTLE:
		reader_lost(rd, LOSS_THROTTLED, 1, raw->offset);
		break;
	case RECORD_AUX:
		if (n >= 24 && reader_u64(rd->rec, p + 16) & 1)
			reader_lost(rd, LOSS_AUX, 1, raw->offset);
		break;
	default:
		if (!type_is_read(raw->header.type))
			reader_lost(rd, LOSS_UNKNOWN_TYPE, 1, raw->offset);
		break;
	}
}

/* Decompresses a piece of the packed bytes, after what is left of the piece before. */
static bool reader_expand(struct reader *rd)
{
	size_t rest = (size_t)(rd->inner.end - rd->inner.p), ret;
	struct shared_bytes *c;
	ZSTD_inBuffer in = {rd->packed, rd->packed_n, 0};
	ZSTD_outBuffer out;

	if (!rd->packed)
		return false;
	if (!rd->zstd)
		rd->zstd = ZSTD_createDCtx();
	c = shared_bytes_new(rest + READER_EXPAND);
	if (rest)
		memcpy(c->at, rd->inner.p, rest);
	out = (ZSTD_outBuffer){c->at, c->cap, rest};
	do
		ret = ZSTD_decompressStream(rd->zstd, &out, &in);
	while (!ZSTD_isError(ret) && in.pos < in.size && out.pos < out.size);
	rd->packed += in.pos;
	rd->packed_n -= in.pos;
	c->n = out.pos;
	shared_bytes_drop(rd->inner.owner);
	rd->inner = (struct unread){.owner = c, .p = c->at, .end = c->at + c->n};
	if (ZSTD_isError(ret)) {
		reader_lost(rd, LOSS_DECOMPRESS, rd->packed_n, rd->inner_offset);
		ZSTD_DCtx_reset(rd->zstd, ZSTD_reset_session_only);
		rd->packed = NULL;
		rd->torn = true;
		return out.pos > rest;
	}
	/* with a full output there may be more to decompress */
	if (!rd->packed_n && out.pos < out.size)
		rd->packed = NULL;
	return out.pos > rest;
}

/* True for a possible size. Records of the kernel are multiples of 8 bytes; those of tools need not
 * be (CPU_MAP, COMPRESSED, SPLIT, ...). */
static bool size_fits(const struct record_header *h)
{
	if (h->size < sizeof(*h))
		return false;
	return h->size % 8 == 0 || (h->type >= RECORD_HEADER_ATTR && h->type < RECORD_TOOL_MAX) ||
	       simpleperf_type(h->type);
}

/*
 * True for a type that exists or may be added later. perf counts its types up from 64; Android's
 * simpleperf has types of its own. A greater number is damage.
 */
static bool type_may_be(uint32_t type)
{
	enum { PERF_MAX_EVER = 1024 };

	return (type && type <= PERF_MAX_EVER) || simpleperf_type(type);
}

/* True for the header of a record of a known type, or of a newer tool's type that another record
 * follows. */
static bool type_fits(const struct reader *rd, const uint8_t *p, size_t n,
		      const struct record_header *h)
{
	struct record_header after;

	if (record_type_name(h->type))
		return size_fits(h);
	if (!type_may_be(h->type) || h->size < sizeof(*h) || h->size > n)
		return false;
	if (n - h->size < sizeof(after))
		return n == h->size;
	after = reader_header(rd->rec, p + h->size);
	return type_may_be(after.type) && after.size >= sizeof(after) &&
	       (h->size % 8 == 0 || type_is_read(after.type));
}

/* False: more was decompressed than so few compressed bytes can hold. The rest of them is then
 * dropped, and all compressed records after them. */
static bool reader_believes(struct reader *rd, const struct record_header *h)
{
	rd->expanded_eighths += h->type == RECORD_SAMPLE ? 1 : SAMPLES_A_RECORD;
	rd->expanded_bytes += h->size;
	if (rd->expanded_eighths / SAMPLES_A_RECORD <= EXPANDED_RECORDS + rd->packed_bytes / 2 &&
	    rd->expanded_bytes / EXPANDED_RATIO <=
		    EXPANDED_BYTES / EXPANDED_RATIO + rd->packed_bytes)
		return true;
	reader_lost(rd, LOSS_EXPANDED, 1, rd->inner_offset);
	rd->inner.p = rd->inner.end;
	rd->packed = NULL;
	rd->dropping = true;
	return false;
}

/* Takes the next record of the decompressed bytes. False: no whole record is left. */
static bool reader_inner(struct reader *rd, struct raw_record *raw)
{
	for (;;) {
		size_t n = (size_t)(rd->inner.end - rd->inner.p), skip;

		if (n < sizeof(raw->header)) {
			if (!reader_expand(rd))
				return false;
			continue;
		}
		raw->header = reader_header(rd->rec, rd->inner.p);
		/* the record goes on in the next piece */
		if (size_fits(&raw->header) && raw->header.size > n &&
		    type_may_be(raw->header.type)) {
			if (!reader_expand(rd))
				return false;
			continue;
		}
		if (type_fits(rd, rd->inner.p, n, &raw->header)) {
			if (!reader_believes(rd, &raw->header))
				return false;
			raw->p = rd->inner.p;
			raw->owner = rd->inner.owner;
			raw->offset = rd->inner_offset;
			raw->part = (uint32_t)rd->part;
			raw->expanded = true;
			rd->inner.p += raw->header.size;
			return true;
		}
		skip = damage_skip(rd->rec, rd->inner.p, n);
		reader_lost(rd, LOSS_SKIPPED_BYTES, skip, rd->inner_offset);
		rd->inner.p += skip;
	}
}

/* Passes over damage at the outer position; false when nothing comes after it. */
static bool reader_pass_damage(struct reader *rd)
{
	size_t n, skip;

	do {
		n = reader_need(rd, READER_SEARCH);
		if (n > READER_SEARCH)
			n = READER_SEARCH;
		skip = damage_skip(rd->rec, rd->outer.p, n);
		/* the last bytes searched are searched again together with what follows them */
		if (skip == n && n == READER_SEARCH)
			skip = n - 64;
		if (skip)
			reader_lost(rd, LOSS_SKIPPED_BYTES, skip, rd->at);
		reader_advance(rd, skip);
	} while (n == READER_SEARCH && skip == n - 64);
	return skip < n;
}

/* Makes the bytes that follow the record available in one buffer with it. */
static void reader_keep(struct reader *rd, struct raw_record *raw, uint64_t max)
{
	size_t size = raw->header.size, have;

	if (!raw->following || raw->following > max || raw->following > rd->end - rd->at - size)
		return;
	have = reader_need(rd, size + (size_t)raw->following);
	raw->p = rd->outer.p;
	raw->owner = rd->outer.owner;
	if (have >= size + raw->following)
		raw->blob = raw->p + size;
}

static void reader_tracing_data(struct reader *rd, struct raw_record *raw)
{
	enum { HEAD = 12 }; /* the record's header, and the size of the data */
	size_t size = raw->header.size;
	uint32_t n;

	if (size < HEAD)
		return;
	memcpy(&n, raw->p + sizeof(raw->header), sizeof(n));
	raw->blob_size = n = rd->rec->m.swap ? __builtin_bswap32(n) : n;
	/* simpleperf's data is in the record, perf's behind it */
	if (n && n <= size - HEAD) {
		raw->blob = raw->p + HEAD;
		return;
	}
	raw->following = n;
	reader_keep(rd, raw, TRACING_DATA_MAX);
}

/* Finds the bytes that belong to the record and stand behind it. */
static void reader_following(struct reader *rd, struct raw_record *raw)
{
	if (raw->header.type == RECORD_AUXTRACE && raw->header.size >= 16) {
		raw->following = reader_u64(rd->rec, raw->p + 8);
		if (rd->in->map || rd->keep_following)
			reader_keep(rd, raw, rd->in->map ? SIZE_MAX / 2 : AUXTRACE_MAX);
	} else if (raw->header.type == RECORD_HEADER_TRACING_DATA) {
		reader_tracing_data(rd, raw);
	}
}

static void reader_compressed(struct reader *rd, const struct raw_record *raw)
{
	const uint8_t *p = raw->p + sizeof(raw->header);
	size_t n = raw->header.size - sizeof(raw->header);

	if (rd->dropping) {
		reader_lost(rd, LOSS_EXPANDED, 1, raw->offset);
		return;
	}
	if (raw->header.type == RECORD_COMPRESSED2) {
		uint64_t size = n >= 8 ? reader_u64(rd->rec, p) : 0;

		if (n < 8 || size > n - 8) {
			reader_lost(rd, LOSS_DECOMPRESS, n, raw->offset);
			return;
		}
		p += 8;
		n = size;
	}
	/* decompression failed before: the start of a record that is left has no end */
	if (rd->torn && rd->inner.p != rd->inner.end)
		reader_lost(rd, LOSS_SKIPPED_BYTES, (uint64_t)(rd->inner.end - rd->inner.p),
			    rd->inner_offset);
	if (rd->torn)
		rd->inner.p = rd->inner.end;
	rd->torn = false;
	rd->packed_bytes += n;
	rd->packed = p;
	rd->packed_n = n;
	rd->inner_offset = raw->offset;
}

/* The input ends n bytes into a record that should have missing bytes more. */
static void reader_cut(struct reader *rd, size_t n, size_t missing)
{
	if (rd->rec->is_pipe)
		reader_lost(rd, LOSS_STREAM_CUT, n, rd->at);
	else
		reader_lost(rd, LOSS_TRUNCATED, missing, rd->at);
}

static int reader_outer(struct reader *rd, struct raw_record *raw)
{
	struct record_header *h = &raw->header;
	size_t n;
	bool fits;

	for (;;) {
		n = reader_need(rd, sizeof(*h));
		if (n >= sizeof(*h))
			*h = reader_header(rd->rec, rd->outer.p);
		if (n < sizeof(*h)) {
			if (n)
				reader_cut(rd, n, sizeof(*h) - n);
			reader_advance(rd, n);
			return 0;
		}
		n = reader_need(rd, (size_t)h->size + sizeof(*h));
		fits = type_fits(rd, rd->outer.p, n, h);
		if (fits && n >= h->size)
			break;
		/* the input ends in this record, unless its size is wrong */
		if (n < h->size && (fits || rd->rec->is_pipe) &&
		    damage_skip(rd->rec, rd->outer.p, n) == n) {
			reader_cut(rd, n, h->size - n);
			reader_advance(rd, n);
			return 0;
		}
		if (!reader_pass_damage(rd))
			return 0;
	}
	raw->p = rd->outer.p;
	raw->owner = rd->outer.owner;
	raw->offset = rd->at;
	raw->part = (uint32_t)rd->part;
	reader_following(rd, raw);
	if (h->type == RECORD_COMPRESSED || h->type == RECORD_COMPRESSED2)
		reader_compressed(rd, raw);
	return 1;
}

/* The most bytes of samples that one call of reader_samples() passes. */
#define READER_RUN (1024 * 1024)
/* Each sample's size tells where the next begins, so the processor cannot read ahead by itself:
 * bytes to prefetch ahead. */
#define READER_AHEAD 2048

/* The byte behind the record that was delivered last; NULL: that byte is not in a mapped file. */
static const uint8_t *reader_behind_pending(const struct reader *rd)
{
	if (!rd->in->map || rd->packed || rd->inner.p != rd->inner.end || !rd->pending ||
	    rd->pending > (uint64_t)(rd->outer.end - rd->outer.p))
		return NULL;
	return rd->outer.p + rd->pending;
}

/* True when a whole sample of at most so many bytes stands at p. */
static inline bool reader_sample_at(const struct reader *rd, const uint8_t *p, size_t most,
				    struct record_header *h)
{
	const size_t left = (size_t)(rd->outer.end - p);

	if (left < sizeof(*h))
		return false;
	*h = reader_header(rd->rec, p);
	return h->type == RECORD_SAMPLE && size_fits(h) && h->size <= left && h->size <= most;
}

size_t reader_samples(struct reader *rd, size_t most)
{
	const uint8_t *start = reader_behind_pending(rd), *p = start;
	struct record_header h;

	if (!start)
		return 0;
	most = MIN(most, READER_RUN);
	while (reader_sample_at(rd, p, most - (size_t)(p - start), &h)) {
		__builtin_prefetch(p + READER_AHEAD);
		__builtin_prefetch(p + READER_AHEAD + 64);
		p += h.size;
		rd->seq++;
	}
	rd->pending += (uint64_t)(p - start);
	return (size_t)(p - start);
}

/* Notes the sample. The next one takes its place unless it is wanted; the last one stays. */
static inline void ascending_note(struct ascending *a, const struct event *ev, const uint8_t *p,
				  size_t size, uint64_t time)
{
	struct sample_chain chain;
	const bool whole = sample_is_whole(a->layout, ev, p, size, &chain);

	a->to[a->noted] = (struct queued){.time = time,
					  .at = (uint32_t)(p - a->base),
					  .nth = a->nth + a->passed,
					  .run = a->run,
					  .event = whole ? ev->index : QUEUED_UNSEEN};
	a->noted += !a->wanted || a->wanted[ev->index] || !whole;
}

size_t reader_ascending(struct reader *rd, struct ascending *to)
{
	struct ascending a = *to;
	const uint8_t *start = reader_behind_pending(rd), *p = start, *end;

	if (!start)
		return 0;
	end = start + MIN(READER_ASCENDING, rd->outer.end - start);
	while ((size_t)(end - p) >= a.layout->fixed && (!a.to || a.noted < a.room)) {
		const struct record_header h = reader_header(rd->rec, p);
		const uint64_t time = sample_layout_time(a.layout, p);
		struct event *ev;

		if (h.type != RECORD_SAMPLE || h.size % 8 || h.size < a.layout->fixed ||
		    h.size > (size_t)(end - p) || time < a.time || time == UINT64_MAX)
			break;
		ev = sample_layout_event(a.layout, p);
		if (!ev)
			break;
		__builtin_prefetch(p + READER_AHEAD);
		__builtin_prefetch(p + READER_AHEAD + 64);
		if (a.to)
			ascending_note(&a, ev, p, h.size, time);
		a.time = time;
		p += h.size;
		a.passed++;
	}
	if (a.to && a.passed && (!a.noted || a.to[a.noted - 1].nth != a.nth + a.passed - 1))
		a.noted++;
	*to = a;
	rd->seq += a.passed;
	rd->pending += (uint64_t)(p - start);
	return (size_t)(p - start);
}

uint64_t reader_position(const struct reader *rd)
{
	return position_after(rd->at, rd->pending);
}

const struct time_run *reader_run(struct reader *rd)
{
	const struct time_runs *t = &rd->rec->file->times;

	if (rd->part)
		return NULL;
	while (rd->run < t->runs.n && t->runs.at[rd->run].offset < reader_position(rd))
		rd->run++;
	return rd->run < t->runs.n ? &t->runs.at[rd->run] : NULL;
}

bool reader_at_run(const struct reader *rd, const struct time_run *run)
{
	return reader_position(rd) == run->offset && !rd->packed && rd->inner.p == rd->inner.end &&
	       run->size <= rd->end - run->offset;
}

void reader_pass_run(struct reader *rd, const struct time_run *run)
{
	struct recording_file *file = rd->rec->file;

	reader_advance(rd, rd->pending);
	rd->pending = 0;
	file->skipped = MAX(file->skipped, run->offset + run->size);
	rd->seq += run->samples;
	reader_advance(rd, run->size);
}

bool reader_pass_empty(struct reader *rd, const struct time_run *passed)
{
	const struct time_runs *t = &rd->rec->file->times;
	const uint64_t at = passed->offset + passed->size;

	if (passed + 1 >= t->runs.at + t->runs.n ||
	    passed[1].offset != at + sizeof(struct record_header) || rd->at != at)
		return false;
	reader_advance(rd, sizeof(struct record_header));
	rd->seq++;
	return true;
}

void reader_read_run(struct reader *rd, const struct time_run *run)
{
	struct recording_file *file = rd->rec->file;

	file->wanted = MAX(file->wanted, run->offset + run->size);
}

/*
 * Passes a record that is followed by fewer bytes than it says. Either the input was cut short, or
 * the size is wrong and other records follow.
 */
static void reader_pass_overrun(struct reader *rd)
{
	struct losses *losses = &rd->rec->m.losses;
	const uint64_t from = rd->at, left = rd->end - rd->at, size = rd->pending;
	const bool counts = reader_counts(rd, from);
	size_t n;
	bool found;

	reader_advance(rd, rd->record_size);
	n = reader_need(rd, READER_SEARCH);
	found = damage_plausible(rd->rec, rd->outer.p, MIN(n, READER_SEARCH)) ||
		reader_pass_damage(rd);
	if (!counts)
		return;
	if (found || size > INT64_MAX)
		losses_add(losses, LOSS_CORRUPT, 1, from);
	else
		losses_add(losses, LOSS_TRUNCATED, size - left, from);
}

/* Passes the record delivered last, whose bytes had to stay until now. */
static void reader_pass_pending(struct reader *rd)
{
	const uint64_t from = rd->at, size = rd->pending;

	if (size > rd->end - rd->at || size > INT64_MAX) {
		reader_pass_overrun(rd);
	} else {
		reader_advance(rd, size);
		/* how much there is of a pipe shows only now */
		if (rd->at - from < size)
			losses_add(&rd->rec->m.losses, LOSS_TRUNCATED, size - (rd->at - from),
				   from);
	}
	rd->pending = 0;
}

/* Joins the parts of a record that simpleperf has split. */
static void reader_join(struct reader *rd, struct raw_record *raw)
{
	struct split_record *s = &rd->split;
	const uint8_t *p = raw->p;
	size_t n = raw->header.size;

	if (raw->header.type == SIMPLEPERF_SPLIT) {
		split_add(s, rd->rec->m.swap, p + sizeof(raw->header), n - sizeof(raw->header));
		return;
	}
	if (raw->header.type == SIMPLEPERF_SPLIT_END) {
		if (!split_end(s)) {
			reader_lost(rd, LOSS_CORRUPT, 1, raw->offset);
			return;
		}
		if (s->type != SIMPLEPERF_TRACING_DATA) {
			reader_lost(rd, LOSS_UNKNOWN_TYPE, 1, raw->offset);
			return;
		}
		p = (const uint8_t *)s->bytes.at;
		n = s->bytes.n;
	} else if (s->begun) {
		reader_lost(rd, LOSS_CORRUPT, 1, raw->offset);
		split_release(s);
	}
	if (raw->header.type != SIMPLEPERF_SPLIT_END && raw->header.type != SIMPLEPERF_TRACING_DATA)
		return;
	raw->blob = simpleperf_formats(p, n, rd->rec->m.swap, &raw->blob_size);
	if (!raw->blob)
		reader_lost(rd, LOSS_CORRUPT, 1, raw->offset);
}

int reader_next(struct reader *rd, struct raw_record *raw)
{
	*raw = (struct raw_record){0};
	if (rd->rec->stop)
		return 0;
	while (!reader_inner(rd, raw)) {
		int got;

		if (rd->pending)
			reader_pass_pending(rd);
		got = reader_outer(rd, raw);
		if (got) {
			rd->record_size = raw->header.size;
			rd->pending = position_after(raw->header.size, raw->following);
			break;
		}
		if (rd->inner.p != rd->inner.end)
			reader_lost(rd, LOSS_TRUNCATED, (uint64_t)(rd->inner.end - rd->inner.p),
				    rd->at);
		rd->inner.p = rd->inner.end;
		if (rd->split.begun) /* its end is missing */
			reader_lost(rd, LOSS_CORRUPT, 1, rd->at);
		rd->split.begun = false;
		if (rd->part >= rd->rec->file->parts.n) {
			tell_progress(rd, true);
			return 0;
		}
		rd->part++;
		/* each part was compressed by itself */
		ZSTD_freeDCtx(rd->zstd);
		rd->zstd = NULL;
		rd->dropping = false;
		reader_open_part(rd);
	}
	raw->seq = rd->seq++;
	reader_join(rd, raw);
	reader_note(rd, raw);
	return 1;
}
