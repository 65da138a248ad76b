// SPDX-License-Identifier: MIT
#include "data/sink.h"

#include "data/ours/checksum.h"
#include "data/ours/time_index.h"
#include "data/sink/sink_out.h"
#include "data/sink/sink_zip.h"
#include "data/updates.h"

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

/* Up to a place in the file, or since the one before. */
struct sample_mark {
	uint64_t end, samples;
};

/* What a limited file keeps for the record of what was lost. */
#define LOST_ROOM 80

struct sink {
	struct sink_out out;
	struct sink_zip *zip;
	struct buf gathered; /* waits for compression: small pieces don't compress well */
	struct buf staged;   /* what compression made */
	struct stored features[FEATURE_MAX];
	struct file_header header;
	bool pipe, begun, started; /* started: the data section has */
	bool failed;		   /* nothing more is taken */
	bool ended;
	int level;
	uint64_t max_size;
	unsigned int spare_ids;
	VEC(size_t) id_room; /* of each event */
	uint64_t synced;	/* out.pos after the last sync */
	uint64_t checkpoint;	/* where the last one began */
	VEC(struct sample_mark) checkpoints; /* the last that is known to be written, and those after it */
	uint64_t plain, packed; /* bytes that went into compression, and came out */
	struct checksum sums;	/* of a file's data */
	struct time_index times; /* the same, unless it is compressed */
	VEC(struct sample_mark) batches; /* since the first of these: what was compressed at once */
	uint64_t samples, missing; /* that were put; of those */
	bool cut;		   /* some of what was put is not there */
	struct buf lost;	   /* the record to end with then */
};

static struct sink *sink_new(const struct sink_options *opts)
{
	struct sink *s = NEW(struct sink);

	s->out.fd = -1;
	if (opts) {
		s->max_size = opts->max_size;
		s->level = opts->compress;
		s->spare_ids = opts->spare_ids;
	}
	return s;
}

struct sink *sink_open(const struct sink_options *opts, struct err *err)
{
	struct sink *s = sink_new(opts);

	if (sink_out_open(&s->out, opts, err) ||
	    (opts->compress && !(s->zip = sink_zip_new(opts->compress, err)))) {
		sink_free(s);
		return NULL;
	}
	s->pipe = opts->as_pipe || s->out.is_pipe;
	return s;
}

struct sink *sink_open_memory(bool as_pipe, struct buf *out)
{
	struct sink *s = sink_new(NULL);

	s->out.mem = out;
	s->pipe = as_pipe;
	buf_clear(out);
	return s;
}

void sink_free(struct sink *s)
{
	if (!s)
		return;
	for (int f = 0; f < FEATURE_MAX; f++)
		free(s->features[f].p);
	buf_release(&s->gathered);
	buf_release(&s->staged);
	buf_release(&s->lost);
	vec_release(&s->batches);
	vec_release(&s->checkpoints);
	vec_release(&s->id_room);
	checksum_release(&s->sums);
	time_index_release(&s->times);
	sink_zip_free(s->zip);
	sink_out_close(&s->out);
	free(s);
}

/* Its own, but no longer than it has content: perf 6.1 refuses files with longer ones than it knows. */
static uint32_t attr_size(const struct attr *a)
{
	if (a->size > ATTR_SIZE_6_1 && !a->config3 && !a->config4)
		return ATTR_SIZE_6_1;
	return a->size >= ATTR_SIZE_VER0 && a->size <= sizeof(*a) ? a->size : ATTR_SIZE_6_1;
}

static void add_attr(struct buf *b, const struct attr *a, uint32_t size)
{
	struct attr copy = *a;
	uint8_t bytes[sizeof(copy)] = {0};

	copy.size = size;
	attr_encode(&copy, bytes);
	buf_add(b, bytes, size);
}

static void add_header(struct buf *b, uint32_t type, size_t size)
{
	struct record_header h = {.type = type, .size = (uint16_t)size};

	buf_add(b, &h, sizeof(h));
}

static void add_u64(struct buf *b, uint64_t v)
{
	buf_add(b, &v, sizeof(v));
}

static void pipe_begin(struct buf *b, const struct event_set *events)
{
	add_u64(b, MAGIC);
	add_u64(b, 16);
	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *ev = events->events.at[i];
		uint32_t size = attr_size(&ev->attr);
		size_t ids = MIN(ev->ids.n, (65528 - 8 - size) / 8);

		add_header(b, RECORD_HEADER_ATTR, sizeof(struct record_header) + size + 8 * ids);
		add_attr(b, &ev->attr, size);
		buf_add(b, ev->ids.at, 8 * ids);
	}
	for (size_t i = 0; i < events->events.n; i++)
		event_updates(events->events.at[i], true, b);
}

static void file_begin(struct sink *s, struct buf *b, const struct event_set *events)
{
	uint32_t size = events->events.n ? 0 : ATTR_SIZE_6_1;
	uint64_t at = sizeof(s->header);

	/* all as long as the longest: readers find the next one by what an attribute says of itself */
	for (size_t i = 0; i < events->events.n; i++)
		size = MAX(size, attr_size(&events->events.at[i]->attr));
	buf_fill(b, 0, sizeof(s->header));
	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *ev = events->events.at[i];

		buf_add(b, ev->ids.at, 8 * ev->ids.n);
		buf_fill(b, 0, 8 * s->spare_ids);
		vec_add(&s->id_room, ev->ids.n + s->spare_ids);
	}
	s->header = (struct file_header){
		.magic = MAGIC, .size = sizeof(s->header), .attr_size = size + 16,
		.attrs = {b->n, events->events.n * (size + 16)}};
	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *ev = events->events.at[i];

		add_attr(b, &ev->attr, size);
		add_u64(b, at);
		add_u64(b, 8 * ev->ids.n);
		at += 8 * s->id_room.at[i];
	}
	s->header.data.offset = b->n;
	memcpy(b->at, &s->header, sizeof(s->header));
}

int sink_begin(struct sink *s, const struct event_set *events, struct err *err)
{
	struct buf b = {0};
	int got;

	if (s->pipe)
		pipe_begin(&b, events);
	else
		file_begin(s, &b, events);
	got = sink_out_add(&s->out, b.at, b.n, NULL, 0, err);
	/* at once: an empty file is taken for nobody's, and whoever is killed now leaves one that can be read */
	if (!got)
		got = sink_out_wait(&s->out, err);
	buf_release(&b);
	if (!s->pipe && !s->zip)
		time_index_begin(&s->times, events, 0);
	s->begun = true;
	s->synced = s->out.pos;
	s->failed = got < 0;
	return got;
}

size_t sink_id_room(const struct sink *s, const struct event_set *events)
{
	size_t room = SIZE_MAX;

	if (s->pipe || s->failed || !events->events.n || events->events.n != s->id_room.n)
		return 0;
	for (size_t i = 0; i < s->id_room.n; i++) {
		size_t n = events->events.at[i]->ids.n;

		room = MIN(room, n < s->id_room.at[i] ? s->id_room.at[i] - n : 0);
	}
	return room;
}

int sink_ids(struct sink *s, const struct event_set *events, struct err *err)
{
	uint64_t at = sizeof(s->header);

	for (size_t i = 0; i < s->id_room.n; i++) {
		const struct event *ev = events->events.at[i];
		uint64_t size = 8 * ev->ids.n;
		uint64_t size_at = s->header.attrs.offset + (i + 1) * s->header.attr_size - sizeof(size);

		if (sink_out_at(&s->out, at, ev->ids.at, size, err) ||
		    sink_out_at(&s->out, size_at, &size, sizeof(size), err))
			return -1;
		at += 8 * s->id_room.at[i];
	}
	return 0;
}

static int pipe_feature(struct sink *s, enum feature f, const void *p, size_t n, struct err *err)
{
	struct buf b = {0};
	int got;

	if (f == FEATURE_TRACING_DATA) {
		uint32_t size = (uint32_t)((n + 7) & ~(size_t)7);

		/* The blob follows the record and isn't counted in its size. */
		add_header(&b, RECORD_HEADER_TRACING_DATA, sizeof(struct record_header) + 4);
		buf_add(&b, &size, sizeof(size));
		buf_add(&b, p, n);
		buf_fill(&b, 0, size - n);
	} else {
		size_t padded = (n + 7) & ~(size_t)7;

		/* What doesn't fit a record a pipe does without. */
		if (f == FEATURE_BUILD_ID || padded > 65528 - 16)
			return 0;
		add_header(&b, RECORD_HEADER_FEATURE, 16 + padded);
		add_u64(&b, f);
		buf_add(&b, p, n);
		buf_fill(&b, 0, padded - n);
	}
	got = sink_out_add(&s->out, b.at, b.n, NULL, 0, err);
	buf_release(&b);
	return got;
}

int sink_feature(struct sink *s, enum feature f, const void *p, size_t n, struct err *err)
{
	struct stored *st = &s->features[f];

	if (s->pipe)
		return pipe_feature(s, f, p, n, err);
	free(st->p);
	st->p = mem_alloc(n + 1);
	if (n)
		memcpy(st->p, p, n);
	st->n = n;
	st->offset = 0;
	return 0;
}

/* What readers need to know before they can expand anything; the ratio only at the end. */
static int compressed_feature(struct sink *s, struct err *err)
{
	uint32_t words[5] = {1, 1, (uint32_t)s->level, 0, SINK_ZIP_CHUNK}; /* version, zstd, ... */

	if (!s->zip)
		return 0;
	if (s->packed)
		words[3] = (uint32_t)(s->plain / s->packed);
	return sink_feature(s, FEATURE_COMPRESSED, words, sizeof(words), err);
}

int sink_features_done(struct sink *s, struct err *err)
{
	struct buf b = {0};
	int got;

	if (!s->pipe)
		return 0;
	if (compressed_feature(s, err))
		return -1;
	/* A feature record of no feature: tools/perf's HEADER_LAST_FEATURE of 6.1. */
	add_header(&b, RECORD_HEADER_FEATURE, 16);
	add_u64(&b, FEATURE_PMU_CAPS + 1);
	got = sink_out_add(&s->out, b.at, b.n, NULL, 0, err);
	buf_release(&b);
	return got;
}

/* The data section begins: what is known of features goes in front of it. */
static int start(struct sink *s, struct err *err)
{
	s->started = true;
	if (!s->pipe) {
		if (compressed_feature(s, err))
			return -1;
		for (int f = 0; f < FEATURE_MAX; f++) {
			struct stored *st = &s->features[f];

			if (!st->p || f >= FEATURE_OWN)
				continue;
			st->offset = s->out.pos;
			if (sink_out_add(&s->out, st->p, st->n, NULL, 0, err))
				return -1;
		}
		if (s->out.pos & 7 && sink_out_add(&s->out, "\0\0\0\0\0\0\0", 8 - (s->out.pos & 7),
						   NULL, 0, err))
			return -1;
		s->header.data.offset = s->times.pos = s->out.pos;
	}
	return 0;
}

static int put(struct sink *s, const void *a, size_t a_len, const void *b, size_t b_len,
	       struct err *err)
{
	if (s->failed)
		return err_set(err, ERR_SYSTEM, "'%s' takes no more", s->out.path);
	if ((!s->started && start(s, err)) || sink_out_add(&s->out, a, a_len, b, b_len, err)) {
		s->failed = true;
		return -1;
	}
	if (!s->pipe) {
		checksum_add(&s->sums, a, a_len);
		checksum_add(&s->sums, b, b_len);
		time_index_add(&s->times, a, a_len, b, b_len);
	}
	return 0;
}

/* How much of both pieces whole records fill, when only room bytes may be taken. A header is never
 * cut by a ring's wrap. */
static size_t fitting(const void *a, size_t a_len, const void *b, size_t b_len, uint64_t room)
{
	size_t pos = 0;

	while (pos < a_len + b_len) {
		const uint8_t *p = pos < a_len ? (const uint8_t *)a + pos
					       : (const uint8_t *)b + (pos - a_len);
		struct record_header h;

		if ((pos < a_len ? a_len - pos : a_len + b_len - pos) < sizeof(h))
			break;
		memcpy(&h, p, sizeof(h));
		if (h.size < sizeof(h) || pos + h.size > MIN(a_len + b_len, room))
			break;
		pos += h.size;
	}
	return pos;
}

static uint64_t count_samples(const struct buf *b)
{
	struct record_header h;
	uint64_t n = 0;

	for (size_t at = 0; at + sizeof(h) <= b->n; at += h.size) {
		memcpy(&h, b->at + at, sizeof(h));
		if (h.size < sizeof(h))
			break;
		n += h.type == RECORD_SAMPLE;
	}
	return n;
}

/* Where the data must end. */
static uint64_t limit(const struct sink *s)
{
	return s->max_size - MIN(s->max_size, LOST_ROOM);
}

static int compress(struct sink *s, struct err *err)
{
	uint64_t samples = count_samples(&s->gathered);
	int got;

	if (!s->gathered.n)
		return 0;
	buf_clear(&s->staged);
	got = sink_zip_add(s->zip, s->gathered.at, s->gathered.n, &s->staged, err);
	s->plain += s->gathered.n;
	s->packed += s->staged.n;
	buf_clear(&s->gathered);
	if (got)
		return -1;
	if (s->max_size && s->out.pos + s->staged.n > limit(s)) {
		s->cut = true;
		return SINK_FULL;
	}
	got = put(s, s->staged.at, s->staged.n, NULL, 0, err);
	if (!got)
		vec_add(&s->batches, (struct sample_mark){s->out.pos, samples});
	return got;
}

int sink_put(struct sink *s, const void *a, size_t a_len, const void *b, size_t b_len,
	     struct err *err)
{
	if (s->zip) {
		buf_add(&s->gathered, a, a_len);
		buf_add(&s->gathered, b, b_len);
		return s->gathered.n < SINK_ZIP_CHUNK ? 0 : compress(s, err);
	}
	if (s->max_size && s->out.pos + a_len + b_len > limit(s)) {
		size_t n = fitting(a, a_len, b, b_len,
				   limit(s) > s->out.pos ? limit(s) - s->out.pos : 0);
		size_t first = MIN(n, a_len);

		s->cut = true;
		return n && put(s, a, first, b, n - first, err) ? -1 : SINK_FULL;
	}
	return put(s, a, a_len, b, b_len, err);
}

int sink_put_record(struct sink *s, const struct record *r, struct err *err)
{
	const struct attr *a = r->event ? &r->event->attr : NULL;
	struct buf b = {0};
	int got;

	if (record_encode(r, a ? a->sample_type : 0, a && a->flags & ATTR_SAMPLE_ID_ALL, &b))
		got = err_set(err, ERR_INPUT, "a record is too large to be written");
	else
		got = sink_put(s, b.at, b.n, NULL, 0, err);
	buf_release(&b);
	return got;
}

/*
 * The table of features, to stand at the end of the data. In a checkpoint its first 8 bytes are at
 * the same time the header of a record that holds the rest: bit 0 of the feature bits, which means
 * nothing, has an entry whose place is those bytes. Readers cannot go there and pass it over; read
 * as data, the record is of a type (HEADER_EVENT_TYPE) that has meant nothing since 2011.
 */
static void make_table(struct sink *s, struct buf *b, bool checkpoint)
{
	memset(s->header.features, 0, sizeof(s->header.features));
	if (checkpoint) {
		s->header.features[0] = 1;
		add_header(b, RECORD_HEADER_EVENT_TYPE, 0);
		add_u64(b, 0);
	}
	for (int f = 1; f < FEATURE_OWN; f++) {
		const struct stored *st = &s->features[f];

		if (!st->p || !st->offset)
			continue;
		s->header.features[f / 64] |= 1ull << f % 64;
		add_u64(b, st->offset);
		add_u64(b, st->n);
	}
	if (checkpoint) {
		uint16_t size = (uint16_t)b->n;

		memcpy(b->at + offsetof(struct record_header, size), &size, sizeof(size));
	}
}

static void drop_first(struct sample_mark *at, size_t *n, size_t gone)
{
	if (gone)
		memmove(at, at + gone, (*n -= gone) * sizeof(*at));
}

/* What is before a checkpoint that is written need not be known any more. */
static void add_checkpoint(struct sink *s, uint64_t end)
{
	uint64_t written = sink_out_written(&s->out);
	size_t past = 0, n = 0;

	vec_add(&s->checkpoints, (struct sample_mark){end, s->samples});
	while (past + 1 < s->checkpoints.n && s->checkpoints.at[past + 1].end <= written)
		past++;
	drop_first(s->checkpoints.at, &s->checkpoints.n, past);
	while (n < s->batches.n && s->batches.at[n].end <= s->checkpoints.at[0].end)
		n++;
	drop_first(s->batches.at, &s->batches.n, n);
	s->checkpoint = end;
}

int sink_sync(struct sink *s, struct err *err)
{
	struct buf table = {0};
	uint64_t end;
	int got;

	if (!s->failed && compress(s, err) < 0)
		return -1;
	end = s->out.pos;
	if (s->pipe || s->failed || !s->started || end == s->synced)
		return 0;
	make_table(s, &table, true);
	got = put(s, table.at, table.n, NULL, 0, err);
	buf_release(&table);
	if (got)
		return -1;
	s->header.data.size = end - s->header.data.offset;
	if (sink_out_at(&s->out, 0, &s->header, sizeof(s->header), err)) {
		s->failed = true;
		return -1;
	}
	add_checkpoint(s, end);
	s->synced = s->out.pos;
	return 0;
}

/* A walk over the records of the data, from the last checkpoint that was written before end. */
struct walk {
	uint64_t pos, end, samples; /* samples before pos */
	uint64_t block_at;
	size_t block_n;
	uint8_t block[65536];
};

static struct walk *walk_new(const struct sink *s, uint64_t end)
{
	struct walk *w = NEW(struct walk);

	w->pos = s->header.data.offset;
	w->end = end;
	for (size_t i = 0; i < s->checkpoints.n; i++)
		if (s->checkpoints.at[i].end <= end) {
			w->pos = s->checkpoints.at[i].end;
			w->samples = s->checkpoints.at[i].samples;
		}
	return w;
}

/* Past the next record; false: there is no whole one. */
static bool walk_on(struct sink *s, struct walk *w)
{
	struct record_header h;

	if (w->pos + sizeof(h) > w->end)
		return false;
	if (w->pos < w->block_at || w->pos + sizeof(h) > w->block_at + w->block_n) {
		w->block_at = w->pos;
		w->block_n = sink_out_read(&s->out, w->pos, w->block, sizeof(w->block));
		if (w->block_n < sizeof(h))
			return false;
	}
	memcpy(&h, w->block + (w->pos - w->block_at), sizeof(h));
	if (h.size < sizeof(h) || w->pos + h.size > w->end)
		return false;
	w->pos += h.size;
	w->samples += h.type == RECORD_SAMPLE;
	return true;
}

/* Where to end so that need bytes fit into what the disk has already given. What was compressed at once ends with a
 * whole record, its parts need not. Samples that are not before it are missing. */
static uint64_t make_room(struct sink *s, size_t need)
{
	struct walk *w = walk_new(s, s->out.pos - MIN(s->out.pos, need));
	uint64_t last = w->pos, samples = w->samples;

	for (size_t i = 0; i < s->batches.n; i++)
		if (s->batches.at[i].end > w->pos && s->batches.at[i].end <= w->end) {
			last = s->batches.at[i].end;
			samples += s->batches.at[i].samples;
		}
	while (!s->zip && walk_on(s, w)) {
		last = w->pos;
		samples = w->samples;
	}
	free(w);
	s->missing = s->samples - MIN(s->samples, samples);
	return last;
}

/* The count stands behind the header. */
static void count_lost(struct sink *s)
{
	uint64_t lost;

	if (s->lost.n < sizeof(struct record_header) + sizeof(lost) || s->lost.n > LOST_ROOM)
		buf_clear(&s->lost);
	if (!s->lost.n)
		return;
	memcpy(&lost, s->lost.at + sizeof(struct record_header), sizeof(lost));
	lost += s->missing;
	memcpy(s->lost.at + sizeof(struct record_header), &lost, sizeof(lost));
	if (!lost)
		buf_clear(&s->lost);
}

/* A limited file that got more than it may hold. */
static int end_limited(struct sink *s, struct err *err)
{
	make_room(s, 0);
	count_lost(s);
	return s->lost.n ? put(s, s->lost.at, s->lost.n, NULL, 0, err) : 0;
}

/* Of a file that ended as it should. A checkpoint that was cut off is in them, still. */
static void put_checksums(struct sink *s, uint64_t end, struct buf *out)
{
	uint64_t size = end - s->header.data.offset;
	struct buf b = {0};

	if (size < s->sums.size) {
		buf_reserve(&b, checksum_rest(size) + 1);
		if (sink_out_read(&s->out, end - checksum_rest(size), b.at, checksum_rest(size)) !=
		    checksum_rest(size)) {
			buf_release(&b);
			return;
		}
		checksum_cut(&s->sums, size, b.at);
	}
	checksum_put(&s->sums, s->header.data.offset, out);
	buf_release(&b);
}

/* Behind all that the header knows of: perf 6.1's inject dies of features that it has no name for. */
static void put_own(const struct sink *s, struct buf *out)
{
	for (unsigned int f = FEATURE_OWN; f < FEATURE_MAX; f++)
		if (s->features[f].p) {
			buf_add(out, s->features[f].p, s->features[f].n);
			add_u64(out, s->features[f].n);
			add_u64(out, FEATURE_OWN_MAGIC | (uint64_t)f << 32);
		}
}

static void put_times(struct sink *s)
{
	AUTO_BUF b = {0};

	if (time_index_put(&s->times, s->header.data.offset, s->out.pos - s->header.data.offset, &b))
		sink_feature(s, FEATURE_TIME_INDEX, b.at, b.n, NULL);
}

static int write_features(struct sink *s, struct err *err)
{
	struct buf b = {0};
	uint64_t end, at;
	int got;

	/* A checkpoint with nothing after it is not needed any more. */
	if (s->checkpoint && s->out.pos == s->synced)
		sink_out_cut(&s->out, s->checkpoint);
	if (!s->failed)
		put_times(s);
	end = at = s->out.pos;
	for (int f = 1; f < FEATURE_OWN; f++)
		at += s->features[f].p ? sizeof(struct section) : 0;
	for (int f = 1; f < FEATURE_OWN; f++)
		if (s->features[f].p && !s->features[f].offset) {
			s->features[f].offset = at;
			at += s->features[f].n;
		}
	make_table(s, &b, false);
	for (int f = 1; f < FEATURE_OWN; f++)
		if (s->features[f].p && s->features[f].offset >= end)
			buf_add(&b, s->features[f].p, s->features[f].n);
	if (!s->failed) {
		put_own(s, &b);
		put_checksums(s, end, &b);
	}
	s->header.data.size = end - s->header.data.offset;
	got = sink_out_add(&s->out, b.at, b.n, NULL, 0, err);
	buf_release(&b);
	return got ? got : sink_out_at(&s->out, 0, &s->header, sizeof(s->header), err);
}

static int close_failed(struct sink *s)
{
	size_t need = MIN(s->lost.n, LOST_ROOM);
	int got;

	/* Of the features only those that are in the file already. */
	for (int f = 1; f < FEATURE_MAX; f++)
		if (s->features[f].p && s->features[f].offset &&
		    s->features[f].offset < s->header.data.offset) {
			need += sizeof(struct section);
		} else {
			free(s->features[f].p);
			s->features[f].p = NULL;
		}
	/* Not cut before the table is written: the blocks would be gone. */
	s->out.pos = make_room(s, need);
	s->checkpoint = 0;
	count_lost(s);
	got = s->lost.n ? sink_out_add(&s->out, s->lost.at, s->lost.n, NULL, 0, NULL) : 0;
	got |= write_features(s, NULL);
	sink_out_cut(&s->out, s->out.pos);
	return got;
}

int sink_end(struct sink *s, struct err *err)
{
	int got = 0;

	if (s->ended || !s->begun)
		return 0;
	s->ended = true;
	if (!s->failed && compress(s, err) < 0)
		got = -1;
	if (sink_out_settle(&s->out, got || s->failed ? NULL : err) && !s->failed) {
		s->failed = true;
		got = -1;
	}
	if (s->pipe) {
		s->missing = s->failed ? s->samples : 0;
		return got;
	}
	if (!s->failed) {
		if ((!s->started && start(s, err)) || (s->cut && end_limited(s, err)))
			s->failed = true;
		else if (compressed_feature(s, err) || write_features(s, err))
			s->failed = true;
		got = s->failed ? -1 : got;
		if (s->failed)
			s->out.pos = MIN(s->out.pos, s->header.data.offset + s->header.data.size);
	}
	if (s->failed && s->started)
		close_failed(s);
	if (!got && sink_out_gone(&s->out))
		return err_set(err, ERR_SYSTEM, "'%s' was deleted while it was written: nothing is left of it",
			       s->out.path);
	return got;
}

void sink_samples(struct sink *s, uint64_t n)
{
	s->samples = n;
}

void sink_lost_record(struct sink *s, const void *record, size_t n)
{
	buf_clear(&s->lost);
	buf_add(&s->lost, record, n);
}

uint64_t sink_samples_missing(const struct sink *s)
{
	return s->missing;
}

bool sink_is_pipe(const struct sink *s)
{
	return s->pipe;
}

uint64_t sink_bytes(const struct sink *s)
{
	return s->out.pos;
}

uint64_t sink_bytes_plain(const struct sink *s)
{
	return s->plain;
}

uint64_t sink_bytes_packed(const struct sink *s)
{
	return s->packed;
}
